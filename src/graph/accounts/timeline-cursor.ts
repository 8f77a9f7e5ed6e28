import { validate as isUuid } from 'uuid';
import { type Instant, toIso, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** A place in a timeline: behind which observation the next page begins. */
export interface TimelinePageKey {
  readonly entityId: string;
  readonly observedAt: Instant;
  readonly id: string;
}

/** Writes a place as the opaque text that callers hand back. */
export function encodeTimelineCursor({ entityId, observedAt, id }: TimelinePageKey): string {
  return Buffer.from(JSON.stringify([entityId, toIso(observedAt), id])).toString('base64url');
}

/** Reads a cursor back. @throws HubError `cursor_mismatch` for one of another entity's timeline, or of nobody's. */
export function decodeTimelineCursor(cursor: string, entityId: string): TimelinePageKey {
  const [owner, observedAt, id] = parseParts(cursor);
  const instant = observedAt === undefined ? undefined : parseInstant(observedAt);
  const known = instant !== undefined && id !== undefined && isUuid(id);
  if (owner !== entityId || !known) throw new HubError('cursor_mismatch');
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
