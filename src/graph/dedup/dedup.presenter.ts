import type { AccountRelation } from '#domain/dedup/related-account.js';
import type { DedupOutcome, DedupReason } from '#domain/dedup/classify-contact.js';
import type { RowField, RowIssue } from './dedup-request.js';

/** The classification of a row. */
export interface DedupResult {
  /** Position of the row in the request, from 0; of values, across `emails`, `linkedin_urls` and `domains` in this order. */
  readonly index: number;
  readonly ref: string | number | null;
  readonly kind?: RowField;
  readonly value?: string;
  /** The e-mail address of the row. */
  readonly email: string | null;
  readonly outcome: DedupOutcome;
  readonly reason: DedupReason;
  readonly entity_id: string | null;
  /** Kind of the identifier that matched the entity; null if none matched. */
  readonly matched_on: string | null;
  /** Evidence of the classification; null for `net_new`. */
  readonly evidence: { readonly observation_id?: string; readonly list_id?: string; readonly at: string } | null;
  /** Other lead lists of the person, most recently changed first. */
  readonly lists: readonly { readonly list_id: string; readonly name: string; readonly status: string }[];
  /** Index of an earlier row for the same contact. */
  readonly duplicate_of?: number;
  /** Another address of the contact, if the one in the row is dead. */
  readonly alternate_email?: string;
  /** Of a `net_new` row: what its company is to us, if it is a customer or somebody there has an open deal. */
  readonly account?: {
    readonly entity_id: string;
    readonly relation: AccountRelation;
    readonly stage: string;
    /** The person with that stage; null if it is the company's own. */
    readonly contact_id: string | null;
  };
}

/** A row without a usable identifier. */
export interface DedupError extends RowIssue {
  readonly index: number;
  readonly ref: string | number | null;
}

/** Response of the dedup endpoint. */
export interface DedupResponse {
  readonly results: readonly DedupResult[];
  /** Number of rows per outcome; `total` excludes the rows in `errors`. */
  readonly summary: Readonly<Record<DedupOutcome | 'total', number>>;
  readonly errors: readonly DedupError[];
}

/** Counts results by outcome. */
export function countOutcomes(results: readonly DedupResult[]): DedupResponse['summary'] {
  const counts = { net_new: 0, engaged: 0, bounced: 0, unsubscribed: 0, total: results.length };
  for (const { outcome } of results) counts[outcome]++;
  return counts;
}
