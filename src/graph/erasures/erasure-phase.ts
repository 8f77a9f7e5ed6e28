import type { JsonValue } from '#domain/observation/observation.js';
import { type MentionMatcher, redactJson } from '#domain/erasure/mentions.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

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
  'runs_redacted',
  'reported_rows_redacted',
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

/** The person to erase in a phase. */
export interface ErasedPerson {
  /** All ids that the person had. */
  readonly ids: readonly string[];
  readonly matcher: MentionMatcher;
  readonly requestedAt: Instant;
}

/** Result of one page of a phase. */
export interface PhaseStep {
  /** Where the phase continues; null if it is complete. */
  readonly cursor: string | null;
  readonly counts: ErasureCounts;
}

/**
 * One part of an erasure, which works through its records page by page. Each page is a transaction, and running a page
 * twice changes nothing more, so an erasure continues after a crash where it stopped.
 */
export interface ErasurePhase {
  /** Name for the log. */
  readonly name: string;
  /** Erases the next page. @param cursor of the page before; null at the start. */
  run(tx: Tx, person: ErasedPerson, cursor: string | null): Promise<PhaseStep>;
}

/** Redacts a text that may be missing. */
export function redactNullable<T extends string | null>(matcher: MentionMatcher, text: T): T {
  return text === null ? text : (matcher.redact(text) as T);
}

/** Redacts a value that a driver has parsed from JSON; undefined and null stay. */
export function redactValue<T>(matcher: MentionMatcher, value: T): T {
  return value === undefined || value === null ? value : (redactJson(matcher, value as JsonValue) as T);
}

/** Returns whether a JSON value states one of these ids or mentions the person. */
export function isAbout({ ids, matcher }: ErasedPerson, value: unknown): boolean {
  const text = JSON.stringify(value) ?? '';
  return ids.some(id => text.includes(id)) || redactValue(matcher, value) !== value;
}

/** Returns whether a key, such as a dedupe key, contains an id or identifier of the person. */
export function isKeyAbout({ ids, matcher }: ErasedPerson, key: string): boolean {
  return matcher.isPartOf(key) || ids.some(id => key.includes(id));
}

/**
 * Returns the end of the next window of a table, in the order of `key`; null if no row is left. Windows bound the work
 * of statements that search text.
 */
export async function findWindowEnd(
  tx: Tx,
  table: string,
  after: string | null,
  size: number,
  key: 'id' | 'key' = 'id',
): Promise<string | null> {
  const [row] = await tx.query<{ last: string | null }>(
    `SELECT max(each)::text AS last FROM (
       SELECT ${key}::text AS each FROM ${table}
       WHERE workspace_id = $1 AND ($2::text IS NULL OR ${key} > $2::${key === 'id' ? 'uuid' : 'text'})
       ORDER BY ${key} LIMIT ${size}) AS window_rows`,
    [tx.workspace, after],
  );
  return row!.last;
}
