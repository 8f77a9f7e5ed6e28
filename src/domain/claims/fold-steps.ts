import type { Instant } from '../time/instant.js';
import { appendStatement, foldAll, sortStatements } from './fold.js';
import type { PropertyState, Statement } from './property-state.js';
import type { ClaimRules } from './rules.js';

/** The state of a property after one of its statements. */
export interface FoldStep {
  readonly at: Instant;
  readonly state: PropertyState;
}

/**
 * Returns the states after each of the latest statements that are due, oldest first. The last one is that of
 * {@link foldAll}.
 * @param statements all of the property, in any order
 * @param count maximum number of states; what was stated before is folded into the first of them
 */
export function foldSteps(
  rules: ClaimRules,
  property: string,
  statements: readonly Statement[],
  now: Instant,
  count: number,
): FoldStep[] {
  const due = sortStatements(rules, statements).filter(({ observedAt }) => observedAt <= now);
  const start = Math.max(0, due.length - count);
  const steps: FoldStep[] = [];
  let state = foldAll(rules, property, due.slice(0, start), now);
  for (const statement of due.slice(start)) {
    const next = appendStatement(rules, property, state, statement, now);
    state = next === 'late' ? foldAll(rules, property, due.slice(0, start + steps.length + 1), now) : next.state;
    steps.push({ at: statement.observedAt, state });
  }
  return steps;
}
