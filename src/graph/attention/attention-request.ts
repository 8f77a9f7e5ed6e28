import { createHash } from 'node:crypto';
import { type AttentionKind, ATTENTION_KINDS, type AttentionRank } from '#domain/attention/attention-item.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** Items on a page, unless the caller says otherwise, and at most. */
export const DEFAULT_ATTENTION_LIMIT = 25;
export const MAX_ATTENTION_LIMIT = 100;

/** What of all that wants attention is asked for. */
export interface AttentionRequest {
  readonly kinds: readonly AttentionKind[];
  readonly limit: number;
  /** Only what is about those whom this one owns. */
  readonly owner: string | undefined;
  /** The time to look from; the present where nothing is said. */
  readonly asOf: Instant | undefined;
  /** Behind which item the page begins. */
  readonly after: AttentionRank | undefined;
  /** Tells the lists of different questions apart. */
  readonly hash: string;
}

/** The query as it was sent. */
export interface AttentionQuery {
  readonly kinds?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly owner?: string | undefined;
  readonly as_of?: string | undefined;
}

/**
 * The list that a query stands for. A cursor keeps the time of its first page, so that nothing moves between pages.
 * @throws HubError `invalid_request`, `cursor_mismatch`.
 */
export function toAttentionRequest({ kinds, limit, cursor, owner, as_of }: AttentionQuery): AttentionRequest {
  const wanted = parseKinds(kinds);
  const hash = createHash('sha256')
    .update(JSON.stringify([wanted, owner ?? null, as_of ?? null]))
    .digest('base64url');
  const place = cursor === undefined ? undefined : decodeAttentionCursor(cursor, hash);
  return {
    kinds: wanted,
    limit: Math.min(limit ?? DEFAULT_ATTENTION_LIMIT, MAX_ATTENTION_LIMIT),
    owner,
    asOf: place?.asOf ?? (as_of === undefined ? undefined : parseInstant(as_of)),
    after: place?.after,
    hash,
  };
}

/** Writes a place as the opaque text that callers hand back. */
export function encodeAttentionCursor(hash: string, asOf: Instant, { urgency, since, id }: AttentionRank): string {
  return Buffer.from(JSON.stringify([hash, asOf, urgency, since, id])).toString('base64url');
}

function parseKinds(given: string | undefined): readonly AttentionKind[] {
  if (given === undefined || given.trim() === '') return ATTENTION_KINDS;
  const names = given.split(',').map(name => name.trim());
  const unknown = names.find(name => !(ATTENTION_KINDS as readonly string[]).includes(name));
  if (unknown === undefined) return ATTENTION_KINDS.filter(kind => names.includes(kind));
  const message = `"${unknown.slice(0, 80)}" is no kind; there are ${ATTENTION_KINDS.join(', ')}.`;
  throw HubError.invalidRequest([{ field: 'kinds', message }]);
}

function decodeAttentionCursor(
  cursor: string,
  hash: string,
): { readonly asOf: Instant; readonly after: AttentionRank } {
  const [of, asOf, urgency, since, id] = parseParts(cursor);
  const fits = of === hash && typeof id === 'string' && [asOf, urgency, since].every(Number.isFinite);
  if (!fits || Math.abs(asOf as number) > 7_289_654_400_000_000) throw new HubError('cursor_mismatch');
  return { asOf: asOf as number, after: { urgency: urgency as number, since: since as number, id: id as string } };
}

function parseParts(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
