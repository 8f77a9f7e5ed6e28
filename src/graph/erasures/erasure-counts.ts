/** What an erasure removes, by kind of record. */
export const ERASURE_COUNTS = [
  'identifiers',
  'claims',
  'observations_deleted',
  'events_anonymized',
  'notes_deleted',
  'leads_cleared',
  'links_deleted',
  'observations_redacted',
  'notes_redacted',
  'leads_redacted',
  'facts_redacted',
  'stored_responses',
  'outgoing_events',
  'plugin_jobs',
  'webhooks',
  'plugin_values',
  'unreadable_values',
  'files_deleted',
] as const;

/** One of {@link ERASURE_COUNTS}. */
export type ErasureCount = (typeof ERASURE_COUNTS)[number];

/** Number of records by kind; a kind that is missing counts 0. */
export type ErasureCounts = Readonly<Partial<Record<ErasureCount, number>>>;

/** Adds up counts. */
export function addCounts(one: ErasureCounts, other: ErasureCounts): ErasureCounts {
  const sums = ERASURE_COUNTS.map(kind => [kind, (one[kind] ?? 0) + (other[kind] ?? 0)] as const);
  return Object.fromEntries(sums.filter(([, sum]) => sum > 0));
}
