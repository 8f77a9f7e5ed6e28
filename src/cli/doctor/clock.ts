import { type DoctorCheck, ok, skipped, warning } from './check.js';

/** The `Date` header has whole seconds, and a response takes time. */
const MAX_SKEW_SECONDS = 5;

/**
 * Compares the local clock with the hub's.
 * @param date `Date` header of a response
 * @param now milliseconds since 1970
 */
export function checkClock(date: string | null, now: number): DoctorCheck {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return skipped('clock', 'the hub sends no Date header');
  const apart = Math.round((now - theirs) / 1_000);
  if (Math.abs(apart) <= MAX_SKEW_SECONDS) return ok('clock', 'agrees with the hub');
  const detail = `${Math.abs(apart)} s ${apart > 0 ? 'ahead of' : 'behind'} the hub`;
  return warning('clock', detail, 'Set the clock: times that you send with --observed-at are taken as they are.');
}
