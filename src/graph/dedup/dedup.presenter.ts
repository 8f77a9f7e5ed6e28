import type { DedupOutcome, DedupReason } from '#domain/dedup/classify-contact.js';
import type { RowField } from './dedup-request.js';
import type { RowIssue } from './identify-row.js';

/** The class of one row. */
export interface DedupResult {
  /** Place of the row in the request, from 0; of lists: counted through emails, linkedin_urls and domains. */
  readonly index: number;
  readonly ref: string | number | null;
  readonly kind?: RowField;
  readonly value?: string;
  /** The address in the row. */
  readonly email: string | null;
  readonly outcome: DedupOutcome;
  readonly reason: DedupReason;
  readonly entity_id: string | null;
  /** Kind of the identifier that named the entity; null when nobody is known. */
  readonly matched_on: string | null;
  /** What the class rests on; null for `net_new`. */
  readonly evidence: { readonly observation_id?: string; readonly list_id?: string; readonly at: string } | null;
  /** Other lists that the person is in, the one that was touched last first. */
  readonly lists: readonly { readonly list_id: string; readonly name: string; readonly status: string }[];
  /** The row before that means the same. */
  readonly duplicate_of?: number;
  /** Another address to write to, when the one in the row is dead. */
  readonly alternate_email?: string;
}

/** A row by which nobody can be told. */
export interface DedupError extends RowIssue {
  readonly index: number;
  readonly ref: string | number | null;
}

/** The answer of a dedup call. */
export interface DedupResponse {
  readonly results: readonly DedupResult[];
  /** Rows of each class; `total` leaves out those in `errors`. */
  readonly summary: Readonly<Record<DedupOutcome | 'total', number>>;
  readonly errors: readonly DedupError[];
}

/** Counts the classes. */
export function countOutcomes(results: readonly DedupResult[]): DedupResponse['summary'] {
  const counts = { net_new: 0, engaged: 0, bounced: 0, unsubscribed: 0, total: results.length };
  for (const { outcome } of results) counts[outcome]++;
  return counts;
}
