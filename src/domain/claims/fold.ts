import type { Instant } from '#domain/time/instant.js';
import { canonKey } from './canon.js';
import { compareOrder } from './order.js';
import { type ClaimRules, type PropertyRule, ruleOf } from './rules.js';
import type { Entry, OrderKey, PropertyState, Statement } from './state.js';
import { foldRules } from './track.js';
import { tracksAfter } from './tracks.js';
import { isMatch, reliabilityOf } from './trust.js';

/** A statement made ready for the fold. */
interface Ready {
  order: OrderKey;
  entry: Entry;
}

/**
 * Folds one more statement into a stored state, at a cost that does not depend on the length of the log. 'late' when
 * that cannot give what a fold of the whole log gives: something later was folded before, a future statement has
 * become due meanwhile, or the rules have another version. Then `foldAll` from the log is needed. A statement after
 * `now` is only counted as pending.
 */
export function append(
  rules: ClaimRules,
  property: string,
  state: PropertyState,
  statement: Statement,
  now: Instant,
): { state: PropertyState } | 'late' {
  if (state.trust !== '' && state.trust !== rules.version) return 'late';
  if (isDue(state, now)) return 'late';
  const rule = ruleOf(rules, property);
  const ready = readied(rules, rule, statement);
  if (statement.observedAt > now) return { state: postponed(rules, state, ready) };
  if (state.greatest && compareOrder(ready.order, state.greatest) <= 0) return 'late';
  return { state: folded(rules, rule, state, ready) };
}

/**
 * The state that all statements of one property give, in whatever order they are handed over. Those after `now` are
 * counted as pending. The result is the same as that of any chain of `append`.
 */
export function foldAll(
  rules: ClaimRules,
  property: string,
  statements: readonly Statement[],
  now: Instant,
): PropertyState {
  const rule = ruleOf(rules, property);
  const sorted = statements
    .map(statement => readied(rules, rule, statement))
    .sort((one, other) => compareOrder(one.order, other.order));
  const due = sorted.filter(({ order }) => order.t <= now);
  const future = sorted.slice(due.length);
  return {
    trust: sorted.length > 0 ? rules.version : '',
    count: due.length,
    pending: future.length,
    nextChangeAt: future[0]?.order.t ?? null,
    greatest: due.at(-1)?.order ?? null,
    tracks: tracksAfter(foldRules(rules, rule), [], entriesOf(due)),
  };
}

/** Whether a statement that lay in the future has become due, so that the state must be folded anew from the log. */
export function isDue(state: PropertyState, now: Instant): boolean {
  return state.nextChangeAt !== null && state.nextChangeAt <= now;
}

function folded(rules: ClaimRules, rule: PropertyRule, state: PropertyState, ready: Ready): PropertyState {
  const tracks = tracksAfter(foldRules(rules, rule), state.tracks, entriesOf([ready]));
  return { ...state, trust: rules.version, count: state.count + 1, greatest: ready.order, tracks };
}

function postponed(rules: ClaimRules, state: PropertyState, { order }: Ready): PropertyState {
  const nextChangeAt = Math.min(state.nextChangeAt ?? order.t, order.t);
  return { ...state, trust: rules.version, pending: state.pending + 1, nextChangeAt };
}

function readied(rules: ClaimRules, rule: PropertyRule, statement: Statement): Ready {
  const { id, source, method, observedAt: t, digest, event, value } = statement;
  const trust = reliabilityOf(rules, source, method);
  const key = canonKey(value, rule.normaliser);
  const isNews = event || isMatch(rules.correctedBy, source, method);
  return { order: { t, r: trust.r, digest, id }, entry: { id, source, method, t, ...trust, isNews, value, key } };
}

function entriesOf(ready: readonly Ready[]): Entry[] {
  return ready.map(({ entry }) => entry);
}
