/** Kinds of data that a workspace may keep for a limited time. */
export const RETENTION_KINDS = ['raw_payloads', 'notes', 'page_visits', 'deliveries', 'inbound_events'] as const;

/** One of {@link RETENTION_KINDS}. */
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** Days to keep each kind of data; null keeps it for as long as the workspace exists. */
export type RetentionDays = Readonly<Record<RetentionKind, number | null>>;

/** Days to keep data without settings of the workspace. */
export const DEFAULT_RETENTION: RetentionDays = {
  raw_payloads: null,
  notes: null,
  page_visits: null,
  deliveries: 30,
  inbound_events: 30,
};

/** Fewest and most days by kind. */
export interface RetentionBounds {
  readonly min: number;
  readonly max: number;
  /** Whether null, no limit, is allowed. */
  readonly isOptional: boolean;
}

const FACTS: RetentionBounds = { min: 1, max: 3650, isOptional: true };

/**
 * Bounds by kind. Deliveries and received webhooks expire after 30 days in any case. Webhooks are needed for a week, to
 * recognize those that a provider repeats.
 */
export const RETENTION_BOUNDS: Readonly<Record<RetentionKind, RetentionBounds>> = {
  raw_payloads: FACTS,
  notes: FACTS,
  page_visits: FACTS,
  deliveries: { min: 1, max: 30, isOptional: false },
  inbound_events: { min: 7, max: 30, isOptional: false },
};

/** Returns what is wrong with a number of days, as a sentence; undefined if it is valid. */
export function findRetentionProblem(kind: RetentionKind, days: unknown): string | undefined {
  const { min, max, isOptional } = RETENTION_BOUNDS[kind];
  if (days === null && isOptional) return undefined;
  if (typeof days === 'number' && Number.isInteger(days) && days >= min && days <= max) return undefined;
  return `${kind} must be a whole number of days from ${min} to ${max}${isOptional ? ', or null for no limit' : ''}.`;
}
