import { expandTokens } from '../text/thesaurus.js';
import { mmr } from '../text/mmr.js';
import type { ContextCandidate, ContextKind } from './context-candidates.js';
import { rankContext, type RankedCandidate, explainRank } from './rank-context.js';

/** Topics of tasks: interchangeable properties, and the words that refer to them. */
const needs: readonly (readonly [properties: string, words: string])[] = [
  ['title', 'title role position job'],
  ['budget', 'budget price pricing cost money afford quote proposal'],
  ['timeline', 'timeline deadline schedule quarter urgency'],
  ['stage', 'stage pipeline deal status'],
  ['pain pain_points', 'pain problem challenge struggle'],
  ['competitors', 'competitor competitors alternative rival'],
  ['technologies', 'technology technologies stack tools integration'],
  ['headcount', 'headcount employees size'],
  ['industry', 'industry sector vertical'],
  ['location city country', 'location city country timezone based'],
  ['phone phones', 'phone call dial number'],
  ['email', 'email address inbox'],
  ['funding', 'funding round raised investors'],
  ['intent', 'intent interest interested'],
  ['owner', 'owner responsible'],
  ['next_step', 'next step follow'],
  ['buying_role', 'champion decision maker buyer signs'],
];

/** The properties that tasks refer to. */
export const TASK_PROPERTIES: readonly string[] = needs.flatMap(([properties]) => properties.split(' '));

/**
 * Returns the properties that a task refers to and that are unknown, by their first name, in a fixed order.
 * @param known properties that have a current claim, of the entity or its company.
 */
export function findTaskGaps(task: string, known: ReadonlySet<string>): string[] {
  const taskTokens = new Set(expandTokens(task));
  return needs.flatMap(([properties, words]) => {
    const names = properties.split(' ');
    const spokenOf = taskTokens.has(names[0]!) || expandTokens(words).some(token => taskTokens.has(token));
    return spokenOf && !names.some(name => known.has(name)) ? [names[0]!] : [];
  });
}

/** Returns the properties that an intent asks for and that are unknown, sorted by name. */
export function findIntentGaps(wanted: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  const names = [...wanted].map(name => name.replace(/^company\./, ''));
  const alike = (name: string) =>
    needs.find(([properties]) => properties.split(' ').includes(name))?.[0].split(' ') ?? [name];
  const missing = names.filter(name => !alike(name).some(other => known.has(other))).map(name => alike(name)[0]!);
  return [...new Set(missing)].toSorted();
}

/** Average UTF-8 bytes per token over the languages and models measured. */
const BYTES_PER_TOKEN = 3.6;

/** Estimates the tokens of a text: UTF-8 bytes / 3.6, rounded up. */
export function estimateTokens(text: string): number {
  return bytesToTokens(countUtf8Bytes(text));
}

/** Estimates the tokens of a number of UTF-8 bytes. */
export function bytesToTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Counts the UTF-8 bytes of a text. Half of a surrogate pair counts as the three bytes of its replacement. */
export function countUtf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Returns the longest prefix of at most so many bytes, whole characters only. */
export function truncateBytes(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += countUtf8Bytes(character);
    if (bytes > most) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

/** Input from which a context is composed. */
export interface ContextParts {
  /** The subject in one line; truncated at 180 bytes. */
  readonly identity: string;
  /** Candidates that are always included, in this order. */
  readonly pinned: readonly ContextCandidate[];
  /** Other candidates, in any order. */
  readonly candidates: readonly ContextCandidate[];
  readonly task: string | undefined;
  /** Maximum number of tokens of the text. */
  readonly budget: number;
}

/** An item of the context. */
export interface ContextItem {
  readonly ref_id: string;
  readonly kind: ContextKind;
  /** 0..1, four decimals; 1 for pinned items. */
  readonly score: number;
  readonly caution?: string;
  /** Explains the score. */
  readonly why: string;
}

/** Context for a prompt. */
export interface ComposedContext {
  /** In the order of the text. */
  readonly items: readonly ContextItem[];
  /** One line per item, below the identity. */
  readonly text: string;
  readonly tokenCount: number;
  /** Number of items that did not fit. */
  readonly truncated: number;
}

/** Maximum number of candidates, best first, among which novelty decides. */
const MAX_RANKED_CANDIDATES = 200;

const MAX_IDENTITY_BYTES = 180;
const KIND_LETTERS: Readonly<Record<ContextKind, string>> = { claim: 'C', event: 'E', note: 'N', workspace_fact: 'W' };

/** An included line with its rank; undefined for pinned items. */
interface PlacedLine {
  readonly candidate: ContextCandidate;
  readonly ranked: RankedCandidate | undefined;
  readonly line: string;
}

/**
 * Composes a context: the identity, the pinned items, then candidates by maximal marginal relevance, one line each,
 * until the budget is used up. A candidate that does not fit is skipped in favour of a shorter one. The same parts in
 * any order give the same text, which never has more tokens than the budget.
 */
export function composeContext({ identity, pinned, candidates, task, budget }: ContextParts): ComposedContext {
  const page = new BudgetedText(budget, truncateBytes(identity, MAX_IDENTITY_BYTES));
  for (const candidate of pinned) page.addLine(candidate);
  const ids = new Set(pinned.map(({ refId }) => refId));
  const ranked = rankContext(
    candidates.filter(({ refId }) => !ids.has(refId)),
    task,
  );
  for (const place of mmr(ranked.slice(0, MAX_RANKED_CANDIDATES), page.maxLines())) {
    page.addLine(ranked[place]!.candidate, ranked[place]);
  }
  const { lines, text } = page;
  return {
    items: lines.map(toContextItem),
    text,
    tokenCount: bytesToTokens(countUtf8Bytes(text)),
    truncated: pinned.length + ranked.length - lines.length,
  };
}

/** A text that grows line by line within a budget. */
class BudgetedText {
  readonly lines: PlacedLine[] = [];
  private readonly counts: Record<ContextKind, number> = { claim: 0, event: 0, note: 0, workspace_fact: 0 };
  private bytes: number;

  constructor(
    private readonly budget: number,
    private readonly identity: string,
  ) {
    this.bytes = countUtf8Bytes(identity);
  }

  get text(): string {
    return [this.identity, ...this.lines.map(({ line }) => line)].join('\n');
  }

  /** Returns an upper bound of the lines that still fit: no line is shorter than its frame. */
  maxLines(): number {
    return Math.max(0, Math.ceil(((this.budget - bytesToTokens(this.bytes)) * 3.6) / 12));
  }

  addLine(candidate: ContextCandidate, ranked?: RankedCandidate): void {
    const { kind, label, text, caution } = candidate;
    const line = `[${KIND_LETTERS[kind]}${this.counts[kind] + 1} ${label}] ${text}${caution ? ` (${caution})` : ''}`;
    const bytes = this.bytes + 1 + countUtf8Bytes(line);
    if (bytesToTokens(bytes) > this.budget) return;
    this.bytes = bytes;
    this.counts[kind]++;
    this.lines.push({ candidate, ranked, line });
  }
}

function toContextItem({ candidate: { refId, kind, caution }, ranked }: PlacedLine): ContextItem {
  const why = ranked ? explainRank(ranked) : 'always told';
  return { ref_id: refId, kind, score: ranked?.score ?? 1, ...(caution && { caution }), why };
}
