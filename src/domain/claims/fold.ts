import type { Instant } from '#domain/time/instant.js';
import { comparisonKey } from '#domain/comparison/comparison-key.js';
import { comparisonTypeOf } from '#domain/comparison/comparison-type.js';
import { compareOrder, type FoldEntry, type OrderKey, type PropertyState, type Statement } from './property-state.js';
import { type ClaimRules, ruleOf } from './rules.js';
import { toFoldRules, applyEntries } from './track.js';
import { isTrustMatch, resolveReliability } from './trust.js';

/** A statement with its position in the fold order. */
interface OrderedEntry {
  order: OrderKey;
  entry: FoldEntry;
}

/**
 * Folds one more statement into a stored state, at a cost independent of the length of the log. A statement after `now`
 * is only counted as pending.
 *
 * Returns 'late' if the result could differ from a fold of the whole log: a later statement was folded before, a
 * pending statement has become due, or the rules have another version. The caller then has to use {@link foldAll}.
 */
export function appendStatement(
  rules: ClaimRules,
  property: string,
  state: PropertyState,
  statement: Statement,
  now: Instant,
): { state: PropertyState } | 'late' {
  if (state.trust !== '' && state.trust !== rules.version) return 'late';
  if (hasDueStatement(state, now)) return 'late';
  const ready = toEntry(rules, statement);
  if (statement.observedAt > now) return { state: postponeEntry(rules, state, ready) };
  if (state.greatest && compareOrder(ready.order, state.greatest) <= 0) return 'late';
  return { state: foldEntry(rules, property, state, ready) };
}

/**
 * Folds all statements of one property, in any order. Statements after `now` are counted as pending. The result is the
 * same as that of any chain of {@link appendStatement}.
 */
export function foldAll(
  rules: ClaimRules,
  property: string,
  statements: readonly Statement[],
  now: Instant,
): PropertyState {
  const rule = ruleOf(rules, property);
  const sorted = statements
    .map(statement => toEntry(rules, statement))
    .sort((one, other) => compareOrder(one.order, other.order));
  const due = sorted.filter(({ order }) => order.t <= now);
  const future = sorted.slice(due.length);
  return {
    trust: sorted.length > 0 ? rules.version : '',
    count: due.length,
    pending: future.length,
    nextChangeAt: future[0]?.order.t ?? null,
    greatest: due.at(-1)?.order ?? null,
    tracks: applyEntries(toFoldRules(rules, rule, property), [], toEntries(due)),
  };
}

/** Returns whether a pending statement has become due, so that the state must be folded again from the log. */
export function hasDueStatement(state: PropertyState, now: Instant): boolean {
  return state.nextChangeAt !== null && state.nextChangeAt <= now;
}

function foldEntry(rules: ClaimRules, property: string, state: PropertyState, ready: OrderedEntry): PropertyState {
  const rule = ruleOf(rules, property);
  const tracks = applyEntries(toFoldRules(rules, rule, property), state.tracks, toEntries([ready]));
  return { ...state, trust: rules.version, count: state.count + 1, greatest: ready.order, tracks };
}

function postponeEntry(rules: ClaimRules, state: PropertyState, { order }: OrderedEntry): PropertyState {
  const nextChangeAt = Math.min(state.nextChangeAt ?? order.t, order.t);
  return { ...state, trust: rules.version, pending: state.pending + 1, nextChangeAt };
}

function toEntry(rules: ClaimRules, statement: Statement): OrderedEntry {
  const { id, source, method, observedAt: t, digest, event, value, liftsOptOut } = statement;
  const trust = resolveReliability(rules, source, method);
  const key = comparisonKey(comparisonTypeOf(statement.property), value);
  const isNews = event || isTrustMatch(rules.correctedBy, source, method);
  return {
    order: { t, r: trust.r, digest, id },
    entry: { id, source, method, t, ...trust, isNews, value, key, ...(liftsOptOut && { liftsOptOut }) },
  };
}

function toEntries(ready: readonly OrderedEntry[]): FoldEntry[] {
  return ready.map(({ entry }) => entry);
}
