const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Consecutive failures that open the breaker. */
export const FAILURE_THRESHOLD = 5;
/** Time for which the breaker stays open: doubled each time, up to `longest`. */
export const COOLDOWN_MS = { first: 30 * SECOND_MS, longest: 30 * 60 * SECOND_MS };
/** An endpoint is disabled after this time without a success. */
export const DISABLED_AFTER_MS = 5 * DAY_MS;
/** Durations of failure after which the owner is warned. */
export const WARNED_AFTER_MS = [DAY_MS, 3 * DAY_MS, 4 * DAY_MS] as const;

/** Health of an endpoint. Times are milliseconds since 1970, or null. */
export type Health = {
  /** Consecutive failures. */
  readonly failures: number;
  readonly failingSince: number | null;
  /** Number of times the breaker has opened since the last success. */
  readonly opened: number;
  /** Nothing is sent before this time: the breaker is open, or the receiver sent `Retry-After`. */
  readonly holdUntil: number | null;
  /** Number of warnings since the endpoint started to fail. */
  readonly warned: number;
  readonly disabled: { readonly at: number; readonly reason: 'gone' | 'failing' } | null;
  readonly lastSuccessAt: number | null;
  /** Time of the first success after the breaker was open. Waiting deliveries are then retried at once. */
  readonly recoveredAt: number | null;
};

/** Health of an endpoint without history. */
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

/** Outcome of an attempt. */
export type AttemptOutcome =
  | { readonly kind: 'delivered' }
  /** Failed: `wishMs` is the delay requested by the receiver; `gone` is set if it wants no more deliveries. */
  | { readonly kind: 'failed'; readonly wishMs?: number; readonly throttled?: boolean; readonly gone?: boolean };

/** Returns the health after an attempt. */
export function recordOutcome(health: Health, outcome: AttemptOutcome, now: number): Health {
  if (outcome.kind === 'delivered') {
    return { ...CLOSED, lastSuccessAt: now, recoveredAt: health.opened > 0 ? now : health.recoveredAt };
  }
  const failures = health.failures + (outcome.throttled ? 0 : 1);
  const failingSince = health.failingSince ?? now;
  const failingMs = now - failingSince;
  // Attempts that were in flight when the breaker opened do not open it again.
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

/**
 * Returns how many lanes may be sent concurrently: 0 while closed off, 1 to probe a failing endpoint, otherwise
 * `usual`.
 */
export function concurrencyFor(health: Health, now: number, usual: number): number {
  if (health.disabled || (health.holdUntil ?? 0) > now) return 0;
  return health.failures >= FAILURE_THRESHOLD ? 1 : usual;
}
