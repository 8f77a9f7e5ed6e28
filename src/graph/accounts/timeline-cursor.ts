import { validate as isUuid } from 'uuid';
import { type Instant, toIso, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** Sort key of the last observation of a timeline page. */
export interface TimelinePageKey {
  readonly entityId: string;
  readonly observedAt: Instant;
  readonly id: string;
}

/** Encodes a page key as an opaque cursor. */
export function encodeTimelineCursor({ entityId, observedAt, id }: TimelinePageKey): string {
  return Buffer.from(JSON.stringify([entityId, toIso(observedAt), id])).toString('base64url');
}

/** Decodes a cursor. @throws HubError `cursor_mismatch` if it is malformed or belongs to another entity. */
export function decodeTimelineCursor(cursor: string, entityId: string): TimelinePageKey {
  const [owner, observedAt, id] = parseParts(cursor);
  const instant = observedAt === undefined ? undefined : parseInstant(observedAt);
  const isValid = instant !== undefined && id !== undefined && isUuid(id);
  if (owner !== entityId || !isValid) throw new HubError('cursor_mismatch');
  return { entityId, observedAt: instant, id };
}

function parseParts(cursor: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts.filter(part => typeof part === 'string') : [];
  } catch {
    return [];
  }
}
