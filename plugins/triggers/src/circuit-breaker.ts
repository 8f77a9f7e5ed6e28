const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Failures in a row that open the breaker. */
export const FAILURE_THRESHOLD = 5;
/** How long it stays open: doubled each time, up to the longest. */
export const COOLDOWN_MS = { first: 30 * SECOND_MS, longest: 30 * 60 * SECOND_MS };
/** After so long without any success an endpoint is disabled. */
export const DISABLED_AFTER_MS = 5 * DAY_MS;
/** How long it fails when its owner is warned. */
export const WARNED_AFTER_MS = [DAY_MS, 3 * DAY_MS, 4 * DAY_MS] as const;

/** How an endpoint is. Times are milliseconds since 1970; null where there is none. */
export type Health = {
  /** In a row. */
  readonly failures: number;
  readonly failingSince: number | null;
  /** How often in a row the breaker has opened. */
  readonly opened: number;
  /** Nothing is sent before: the breaker is open, or the receiver has asked for a pause. */
  readonly holdUntil: number | null;
  /** Warnings given since it fails. */
  readonly warned: number;
  readonly disabled: { readonly at: number; readonly reason: 'gone' | 'failing' } | null;
  readonly lastSuccessAt: number | null;
  /** When it answered again after the breaker was open: what waited is tried at once. */
  readonly recoveredAt: number | null;
};

/** One that nothing is known of. */
export const CLOSED: Health = {
  failures: 0,
  failingSince: null,
  opened: 0,
  holdUntil: null,
  warned: 0,
  disabled: null,
  lastSuccessAt: null,
  recoveredAt: null,
};

/** What an attempt came to. */
export type AttemptOutcome =
  | { readonly kind: 'delivered' }
  /** Failed: `wishMs` is what the receiver asks to wait, `gone` that it wants no more. */
  | { readonly kind: 'failed'; readonly wishMs?: number; readonly throttled?: boolean; readonly gone?: boolean };

/** The health after an attempt. */
export function recordOutcome(health: Health, outcome: AttemptOutcome, now: number): Health {
  if (outcome.kind === 'delivered') {
    return { ...CLOSED, lastSuccessAt: now, recoveredAt: health.opened > 0 ? now : health.recoveredAt };
  }
  const failures = health.failures + (outcome.throttled ? 0 : 1);
  const failingSince = health.failingSince ?? now;
  const failingMs = now - failingSince;
  // What was under way while it opened does not open it again.
  const isOpen = health.opened > 0 && (health.holdUntil ?? 0) > now;
  const trips = !outcome.throttled && failures >= FAILURE_THRESHOLD && !isOpen;
  const coolingMs = trips ? Math.min(COOLDOWN_MS.first * 2 ** health.opened, COOLDOWN_MS.longest) : 0;
  const waitMs = Math.max(coolingMs, outcome.wishMs ?? 0);
  const reason = outcome.gone ? 'gone' : failingMs >= DISABLED_AFTER_MS ? 'failing' : undefined;
  return {
    ...health,
    failures,
    failingSince,
    opened: health.opened + (trips ? 1 : 0),
    holdUntil: waitMs > 0 ? Math.max(now + waitMs, health.holdUntil ?? 0) : health.holdUntil,
    warned: WARNED_AFTER_MS.filter(ms => failingMs >= ms).length,
    disabled: health.disabled ?? (reason ? { at: now, reason } : null),
  };
}

/** How many lines of messages may be sent side by side now: none, one to try it, or as many as there is room for. */
export function concurrencyFor(health: Health, now: number, usual: number): number {
  if (health.disabled || (health.holdUntil ?? 0) > now) return 0;
  return health.failures >= FAILURE_THRESHOLD ? 1 : usual;
}
