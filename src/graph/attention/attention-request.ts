import { createHash } from 'node:crypto';
import { type AttentionKind, ATTENTION_KINDS, type AttentionRank } from '#domain/attention/attention-item.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** Default and maximum number of items on a page. */
export const DEFAULT_ATTENTION_LIMIT = 25;
export const MAX_ATTENTION_LIMIT = 100;

/** A validated request for attention items. */
export interface AttentionRequest {
  readonly kinds: readonly AttentionKind[];
  readonly limit: number;
  /** Only entities whose claim `owner` has this value. */
  readonly owner: string | undefined;
  /** Reference time of the items; undefined means now. */
  readonly asOf: Instant | undefined;
  /** Rank of the last item of the previous page. */
  readonly after: AttentionRank | undefined;
  /** Hash of the filters; a cursor is valid only for the same filters. */
  readonly hash: string;
}

/** The query parameters as sent. */
export interface AttentionQuery {
  readonly kinds?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly owner?: string | undefined;
  readonly as_of?: string | undefined;
}

/**
 * Parses the query parameters. A cursor keeps the reference time of the first page, so items do not move between pages.
 * @throws HubError `invalid_request`, `cursor_mismatch`.
 */
export function toAttentionRequest({ kinds, limit, cursor, owner, as_of }: AttentionQuery): AttentionRequest {
  const requestedKinds = parseKinds(kinds);
  const hash = createHash('sha256')
    .update(JSON.stringify([requestedKinds, owner ?? null, as_of ?? null]))
    .digest('base64url');
  const place = cursor === undefined ? undefined : decodeAttentionCursor(cursor, hash);
  return {
    kinds: requestedKinds,
    limit: Math.min(limit ?? DEFAULT_ATTENTION_LIMIT, MAX_ATTENTION_LIMIT),
    owner,
    asOf: place?.asOf ?? (as_of === undefined ? undefined : parseInstant(as_of)),
    after: place?.after,
    hash,
  };
}

/** Encodes the rank of the last item as an opaque cursor. */
export function encodeAttentionCursor(hash: string, asOf: Instant, { urgency, since, id }: AttentionRank): string {
  return Buffer.from(JSON.stringify([hash, asOf, urgency, since, id])).toString('base64url');
}

function parseKinds(text: string | undefined): readonly AttentionKind[] {
  if (text === undefined || text.trim() === '') return ATTENTION_KINDS;
  const names = text.split(',').map(name => name.trim());
  const unknown = names.find(name => !(ATTENTION_KINDS as readonly string[]).includes(name));
  if (unknown === undefined) return ATTENTION_KINDS.filter(kind => names.includes(kind));
  const message = `"${unknown.slice(0, 80)}" is not a kind of item. Use one or more of ${ATTENTION_KINDS.join(', ')}, separated by commas.`;
  throw HubError.invalidRequest([{ field: 'kinds', message }]);
}

function decodeAttentionCursor(
  cursor: string,
  hash: string,
): { readonly asOf: Instant; readonly after: AttentionRank } {
  const [cursorHash, asOf, urgency, since, id] = parseParts(cursor);
  const isValid = cursorHash === hash && typeof id === 'string' && [asOf, urgency, since].every(Number.isFinite);
  if (!isValid || Math.abs(asOf as number) > 7_289_654_400_000_000) throw new HubError('cursor_mismatch');
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
