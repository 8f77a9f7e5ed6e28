import { roundTo4 } from '../claims/confidence.js';
import { bm25 } from '../text/bm25.js';
import { buildQueryTerms } from '../text/query-terms.js';
import { expandTokens } from '../text/thesaurus.js';
import type { ContextCandidate, ContextKind, RankScore } from './context-candidates.js';

/** Weight of each kind. */
const KIND_PRIORS: Readonly<Record<ContextKind, number>> = { claim: 1, note: 0.9, event: 0.7, workspace_fact: 0.6 };

/** Relevance of every candidate if no task is given. */
const DEFAULT_RELEVANCE = 0.5;

/**
 * Relevance of candidates that share no word with the task. It is above 0, so that their other scores still order them.
 */
const MIN_RELEVANCE = 0.05;

/** Share of the distance to relevance 1 by which the intent raises a candidate. */
const INTENT_BOOST = 0.5;

/** Weight of what has ended. */
const PAST_WEIGHT = 0.5;

/** A candidate with its score, and the tokens by which it is compared. */
export interface RankedCandidate extends RankScore {
  readonly candidate: ContextCandidate;
  readonly tokens: readonly string[];
}

/**
 * Ranks candidates, best first; ties go to the smaller `refId`. Their order does not matter.
 *
 * score = relevance * (0.4 + 0.6 * freshness) * (0.5 + 0.5 * confidence) * kind prior, and half of that for what has
 * ended. Relevance is BM25 of the task over words and concepts, normalised by the maximum; without a task it is the
 * same for all.
 */
export function rankContext(candidates: readonly ContextCandidate[], task: string | undefined): RankedCandidate[] {
  const tokens = candidates.map(candidate => candidate.tokens ?? tokensOf(candidate));
  const nearness = task === undefined ? undefined : computeRelevance(task, tokens);
  return candidates
    .map((candidate, i) => {
      const relevance = applyBoost(nearness ? nearness[i]! : DEFAULT_RELEVANCE, candidate);
      return {
        candidate,
        tokens: tokens[i]!,
        relevance: roundTo4(relevance),
        score: computeContextScore(candidate, relevance),
      };
    })
    .sort((one, other) => other.score - one.score || compareTexts(one.candidate.refId, other.candidate.refId));
}

/** Returns the words and concepts by which a candidate is found and compared. */
export function tokensOf({ words = '', text }: Pick<ContextCandidate, 'words' | 'text'>): readonly string[] {
  return expandTokens(`${words} ${text}`);
}

/** Computes the score of {@link rankContext}. */
export function computeContextScore(
  { kind, freshness, confidence, past }: ContextCandidate,
  relevance: number,
): number {
  const trust = (0.4 + 0.6 * freshness) * (0.5 + 0.5 * confidence);
  return roundTo4(relevance * trust * KIND_PRIORS[kind] * (past ? PAST_WEIGHT : 1));
}

/** Explains the score of a candidate in words. */
export function explainRank({ candidate, relevance }: RankedCandidate): string {
  const { kind, freshness, confidence, past, boosted: wanted } = candidate;
  const parts = [
    `relevance ${relevance}${wanted ? ' (the intent asks for it)' : ''}`,
    `freshness ${roundTo4(freshness)}`,
    `confidence ${roundTo4(confidence)}`,
    `${kind} counts ${KIND_PRIORS[kind]}`,
    ...(past ? [`past counts ${PAST_WEIGHT}`] : []),
  ];
  return parts.join(', ');
}

function computeRelevance(task: string, tokens: readonly (readonly string[])[]): number[] {
  const scores = bm25(buildQueryTerms(task), tokens);
  const best = Math.max(...scores, Number.MIN_VALUE);
  return scores.map(score => MIN_RELEVANCE + (1 - MIN_RELEVANCE) * (score / best));
}

function applyBoost(relevance: number, candidate: ContextCandidate): number {
  return candidate.boosted ? relevance + (1 - relevance) * INTENT_BOOST : relevance;
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
