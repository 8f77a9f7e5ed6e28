import { comparisonKey, comparisonTypeOf, keysAgree } from '../comparison/comparison-key.js';
import { ENDED_KEY } from '../comparison/canonical-key.js';
import type { JsonValue } from '../observation/observation.js';
import type { Instant } from '../time/instant.js';
import type { Claim } from './claim.js';
import { computeFreshness, roundTo4 } from './confidence.js';
import { projectClaim } from './fold.js';
import { foldSteps } from './fold-steps.js';
import { parseMemberChanges, type Statement } from './property-state.js';
import { type ClaimRules, ruleOf } from './rules.js';
import { resolveReliability } from './trust.js';

/** Most points of time of a series. Earlier statements are folded, and not shown. */
export const MAX_SERIES_STATEMENTS = 200;

/** Longest value in a sentence, in characters. */
const MAX_VALUE_LENGTH = 80;

/**
 * What a statement does for a claim: it states the present value, it is the latest word of a source that states another
 * one, or it states a value that its source no longer holds.
 */
export const STATEMENT_ROLES = ['supports', 'opposes', 'superseded'] as const;
export type StatementRole = (typeof STATEMENT_ROLES)[number];

/** A statement with what it does for the claim. */
export interface WeighedStatement {
  readonly statement: Statement;
  readonly role: StatementRole;
  /** Reliability of its source and method, 0 to 1. */
  readonly r: number;
  /** Weight that it has in the claim, 0 to 1; 0 if it does not count. */
  readonly weight: number;
  readonly why: string;
}

/** A claim at one time. */
export interface SeriesPoint {
  readonly at: Instant;
  /** Null if the fact had ended. */
  readonly value: JsonValue;
  readonly confidence: number;
  readonly freshnessScore: number;
}

/** Kinds of {@link ClaimReason}. */
export const REASON_CODES = ['unopposed', 'agreed', 'opposed', 'ended'] as const;

/** Why a claim has its value, in one sentence, and in parts for another language. */
export interface ClaimReason {
  readonly code: (typeof REASON_CODES)[number];
  readonly text: string;
  readonly parts: {
    readonly value: JsonValue;
    /** Number of sources whose statements count for the value. */
    readonly sources: number;
    /** Who stated the value last. */
    readonly source: string | null;
    readonly observedAt: string | null;
    /** The strongest source that states another value. */
    readonly objection: Pick<Claim['opposing'][number], 'source' | 'value' | 'observed_at' | 'weight'> | null;
    readonly confidence: number;
  };
}

/**
 * Tells of each statement what it does for a claim, the newest first.
 * @param statements all of the property, in any order
 */
export function weighStatements(rules: ClaimRules, claim: Claim, statements: readonly Statement[]): WeighedStatement[] {
  const sourceById = new Map(claim.sources.map(source => [source.observation_id, source]));
  const opponentById = new Map(claim.opposing.map(opponent => [opponent.observation_id, opponent]));
  const counted = new Set(claim.sources.map(({ source }) => source));
  const statesValue = (value: JsonValue) => doesStateValue(rules, claim, value);
  const newestFirst = statements.toSorted(compareNewest);
  const later = findLaterWords(newestFirst, claim.property);
  return newestFirst.map(statement => {
    const { r } = resolveReliability(rules, statement.source, statement.method);
    const own = sourceById.get(statement.id);
    if (own) return { statement, role: 'supports', r, weight: own.weight, why: 'It states the value and counts.' };
    const opponent = opponentById.get(statement.id);
    if (opponent) return { statement, role: 'opposes', r, weight: opponent.weight, why: opponent.why };
    const role = statesValue(statement.value) ? 'supports' : 'superseded';
    const doesSourceCount = role === 'supports' && counted.has(statement.source);
    return { statement, role, r, weight: 0, why: explainNoWeight(statement, doesSourceCount, later.get(statement.id)) };
  });
}

function compareNewest(one: Statement, other: Statement): number {
  return other.observedAt - one.observedAt || (one.id < other.id ? 1 : -1);
}

function doesStateValue(rules: ClaimRules, claim: Claim, value: JsonValue): boolean {
  const type = comparisonTypeOf(claim.property);
  const keyOf = (each: JsonValue) => (each === null ? ENDED_KEY : comparisonKey(type, each));
  if (ruleOf(rules, claim.property).cardinality !== 'many')
    return keysAgree(keyOf(value), keyOf(claim.status === 'ended' ? null : claim.value));
  if (value === null) return claim.status === 'ended';
  const current = new Set((claim.value as readonly JsonValue[]).map(keyOf));
  return parseMemberChanges(value).some(change => !change.ended && current.has(keyOf(change.value)));
}

type LaterWord = 'same value' | 'other value';

/** Returns what the latest statement of its source says, by the ID of each earlier statement. */
function findLaterWords(newestFirst: readonly Statement[], property: string): ReadonlyMap<string, LaterWord> {
  const type = comparisonTypeOf(property);
  const latest = new Map<string, string>();
  const later = new Map<string, LaterWord>();
  for (const { id, source, value } of newestFirst) {
    const key = value === null ? ENDED_KEY : comparisonKey(type, value);
    const last = latest.get(source);
    if (last === undefined) latest.set(source, key);
    else later.set(id, keysAgree(last, key) ? 'same value' : 'other value');
  }
  return later;
}

function explainNoWeight({ source }: Statement, doesSourceCount: boolean, later: LaterWord | undefined): string {
  if (doesSourceCount) return `Another statement of ${source} counts, so this one adds nothing.`;
  if (later === 'same value') return `${source} repeated it later.`;
  if (later === 'other value') return `${source} stated another value later.`;
  return 'It gave way to other statements, and no longer counts.';
}

/**
 * Returns how confidence and freshness of a property went over time: a point after each of the latest statements, one just
 * before the next, and the last at `asOf`.
 * @param statements all of the property, in any order
 */
export function toSeries(
  rules: ClaimRules,
  property: string,
  statements: readonly Statement[],
  asOf: Instant,
): SeriesPoint[] {
  const { halfLife } = ruleOf(rules, property);
  const steps = foldSteps(rules, property, statements, asOf, MAX_SERIES_STATEMENTS);
  return steps.flatMap(({ at, state }, index) => {
    const projected = projectClaim(rules, property, state);
    if (!projected) return [];
    const { value, confidence, supportedAt } = projected;
    const until = steps[index + 1]?.at ?? asOf;
    return [at, until].map(time => {
      const { score } = computeFreshness(rules.freshness, halfLife, supportedAt, time);
      return { at: time, value, confidence, freshnessScore: roundTo4(score) };
    });
  });
}

/** Explains in one sentence why a claim has its value, and names the strongest objection. */
export function explainClaim(claim: Claim): ClaimReason {
  const sources = new Set(claim.sources.map(({ source }) => source)).size;
  const last = claim.sources.reduce<Claim['sources'][number] | undefined>(
    (newest, each) => (newest && newest.observed_at >= each.observed_at ? newest : each),
    undefined,
  );
  const [strongest] = claim.opposing;
  const objection = strongest
    ? {
        source: strongest.source,
        value: strongest.value,
        observed_at: strongest.observed_at,
        weight: strongest.weight,
      }
    : null;
  const code = toReasonCode(claim, sources);
  const parts = {
    value: claim.value,
    sources,
    source: last?.source ?? null,
    observedAt: last?.observed_at ?? null,
    objection,
    confidence: claim.confidence,
  };
  const sentences = [formatSupport(claim, parts), formatObjection(claim), claim.freshness_reason];
  return { code, text: sentences.filter(sentence => sentence !== undefined).join(' '), parts };
}

function toReasonCode(claim: Claim, sources: number): ClaimReason['code'] {
  if (claim.status === 'ended') return 'ended';
  if (claim.opposing.length > 0) return 'opposed';
  return sources > 1 ? 'agreed' : 'unopposed';
}

function formatSupport(claim: Claim, { sources, source, observedAt }: ClaimReason['parts']): string {
  const day = observedAt?.slice(0, 10);
  if (claim.status === 'ended') return `This has ended: ${source} stated so on ${day}.`;
  const subject = `${formatValue(claim.value)} holds`;
  return sources > 1
    ? `${subject}: ${sources} sources state it, last ${source} on ${day}.`
    : `${subject}: ${source} stated it on ${day}.`;
}

function formatObjection({ opposing, confidence }: Claim): string {
  const [strongest, ...others] = opposing;
  if (!strongest) return 'No source states otherwise.';
  const { source, value, observed_at } = strongest;
  const more =
    others.length === 0 ? '' : `, and ${others.length} more ${others.length === 1 ? 'disagrees' : 'disagree'}`;
  const stated = value === null ? 'that it has ended' : formatValue(value);
  return `${source} stated ${stated} on ${observed_at.slice(0, 10)} and has not changed it${more}; confidence is ${confidence.toFixed(2)}.`;
}

function formatValue(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `“${text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text}”`;
}

/** A value that a claim had, with what ended it. */
export interface EndedPeriod {
  readonly value: JsonValue;
  readonly valid_from: string;
  readonly valid_to: string;
  readonly ended_by: { readonly id: string; readonly source: string | null };
}

/** Returns the earlier values of a claim, the newest first, with the source that ended each. */
export function toEndedPeriods(claim: Claim, statements: readonly Statement[]): EndedPeriod[] {
  const sourceById = new Map(statements.map(({ id, source }) => [id, source]));
  const own = claim.history ?? claim.values?.flatMap(value => value.history ?? []) ?? [];
  return own
    .toSorted((one, other) => (one.valid_to < other.valid_to ? 1 : -1))
    .map(({ value, valid_from, valid_to, ended_by }) => ({
      value,
      valid_from,
      valid_to,
      ended_by: { id: ended_by, source: sourceById.get(ended_by) ?? null },
    }));
}
