import { type DoctorCheck, ok, skipped, warning } from './check.js';

/** HTTP tells whole seconds, and an answer takes a while. */
const MAX_SKEW_SECONDS = 5;

/** Compares this machine's clock with the hub's. @param date the header of an answer @param now milliseconds */
export function checkClock(date: string | null, now: number): DoctorCheck {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return skipped('clock', 'the hub does not tell the time');
  const apart = Math.round((now - theirs) / 1_000);
  if (Math.abs(apart) <= MAX_SKEW_SECONDS) return ok('clock', 'agrees with the hub');
  const detail = `${Math.abs(apart)} s ${apart > 0 ? 'ahead of' : 'behind'} the hub`;
  return warning('clock', detail, 'Set the clock: times that you send with --observed-at are taken as they are.');
}
