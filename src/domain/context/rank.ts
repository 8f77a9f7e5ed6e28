import { round4 } from '#domain/claims/certainty.js';
import { bm25 } from '#domain/text/bm25.js';
import { queryTermsOf } from '#domain/text/question.js';
import { expand } from '#domain/text/thesaurus.js';
import type { ContextCandidate, ContextKind, Worth } from './candidate.js';

/** What each kind counts beside the others. */
const PRIOR: Readonly<Record<ContextKind, number>> = { claim: 1, note: 0.9, event: 0.7, workspace_fact: 0.6 };

/** How near everything comes when no task is given. */
const UNASKED = 0.5;

/** What is left for things that share no word with the task, so that the better ones of them go first. */
const FLOOR = 0.05;

/** How far the intent brings what it asks for towards the greatest relevance. */
const BOOST = 0.5;

/** What counts of something that is no longer so. */
const PAST = 0.5;

/** A candidate with what it counts, and the tokens that it is compared by. */
export interface Ranked extends Worth {
  readonly candidate: ContextCandidate;
  readonly tokens: readonly string[];
}

/**
 * Ranks candidates, the best first, of equals the one with the least `refId`; their order does not matter.
 *
 * score = relevance * (0.4 + 0.6 * freshness) * (0.5 + 0.5 * confidence) * prior of the kind, and half of that for what
 * is past. Relevance is BM25 for the task over the candidates' words and concepts, normalised by the greatest; without
 * a task everything is equally near.
 */
export function rankContext(candidates: readonly ContextCandidate[], task: string | undefined): Ranked[] {
  const tokens = candidates.map(candidate => candidate.tokens ?? tokensOf(candidate));
  const nearness = task === undefined ? undefined : nearnessTo(task, tokens);
  return candidates
    .map((candidate, i) => {
      const relevance = boosted(nearness ? nearness[i]! : UNASKED, candidate);
      return { candidate, tokens: tokens[i]!, relevance: round4(relevance), score: scoreOf(candidate, relevance) };
    })
    .sort((one, other) => other.score - one.score || byText(one.candidate.refId, other.candidate.refId));
}

/** Returns the words and concepts that a candidate is found and compared by. */
export function tokensOf({ words = '', text }: Pick<ContextCandidate, 'words' | 'text'>): readonly string[] {
  return expand(`${words} ${text}`);
}

/** The formula of {@link rankContext}. */
export function scoreOf({ kind, freshness, confidence, past }: ContextCandidate, relevance: number): number {
  const trust = (0.4 + 0.6 * freshness) * (0.5 + 0.5 * confidence);
  return round4(relevance * trust * PRIOR[kind] * (past ? PAST : 1));
}

/** The same number in words. */
export function whyOf({ candidate, relevance }: Ranked): string {
  const { kind, freshness, confidence, past, boosted: wanted } = candidate;
  const parts = [
    `relevance ${relevance}${wanted ? ' (the intent asks for it)' : ''}`,
    `freshness ${round4(freshness)}`,
    `confidence ${round4(confidence)}`,
    `${kind} counts ${PRIOR[kind]}`,
    ...(past ? [`past counts ${PAST}`] : []),
  ];
  return parts.join(', ');
}

function nearnessTo(task: string, tokens: readonly (readonly string[])[]): number[] {
  const scores = bm25(queryTermsOf(task), tokens);
  const best = Math.max(...scores, Number.MIN_VALUE);
  return scores.map(score => FLOOR + (1 - FLOOR) * (score / best));
}

function boosted(relevance: number, candidate: ContextCandidate): number {
  return candidate.boosted ? relevance + (1 - relevance) * BOOST : relevance;
}

function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
