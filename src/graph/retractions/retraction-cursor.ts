import { NIL, validate as isUuid } from 'uuid';
import type { Instant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { firstIdAt } from '#kernel/ids.js';

/** What a page retracts. Leads and notes come first, so that an entity of which nothing is left can be recognized. */
const PHASES = ['leads', 'notes', 'observations'] as const;

/** What a page retracts. */
export type RetractionPhase = (typeof PHASES)[number];

/** Where the next page of a retraction begins. */
export interface RetractionPosition {
  readonly retractionId: string;
  readonly phase: RetractionPhase;
  /** Id of the last row that was looked at. */
  readonly after: string;
  /** Id before which the source has no rows. */
  readonly start: string;
  /** Time of the first retracted observation; null before there is one. */
  readonly began: Instant | null;
  readonly isFirst: boolean;
}

/** How much earlier than the time that a caller names rows may have got their ids, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Returns the position at which a retraction begins. @param since time before which the source stated nothing. */
export function firstPosition(retractionId: string, since: Instant | undefined): RetractionPosition {
  const start = since === undefined ? NIL : firstIdAt(since / 1000 - CLOCK_TOLERANCE_MS);
  return { retractionId, phase: 'leads', after: start, start, began: null, isFirst: true };
}

/**
 * Returns the position after a page.
 * @param last id of the last row of the page; null if the phase is complete.
 * @param next the phase after it; null if there is none.
 */
export function nextPosition(
  position: RetractionPosition,
  last: string | null,
  next: RetractionPhase | null,
): RetractionPosition | null {
  if (last !== null) return { ...position, after: last, isFirst: false };
  return next && { ...position, phase: next, after: position.start, isFirst: false };
}

/** Encodes a position as an opaque cursor of this source. */
export function encodeRetractionCursor(position: RetractionPosition, source: string): string {
  const { retractionId, phase, after, start, began } = position;
  return Buffer.from(JSON.stringify([source, retractionId, phase, after, start, began])).toString('base64url');
}

/** Decodes a cursor. @throws HubError `cursor_mismatch` if it is malformed or belongs to another source. */
export function decodeRetractionCursor(cursor: string, source: string): RetractionPosition {
  const [owner, retractionId, phase, after, start, began] = parseParts(cursor);
  const ids = [retractionId, after, start];
  const hasIds = ids.every(id => typeof id === 'string' && (id === NIL || isUuid(id)));
  const hasTime = began === null || Number.isSafeInteger(began);
  if (owner !== source || !hasIds || !hasTime || !PHASES.some(each => each === phase))
    throw new HubError('cursor_mismatch');
  return {
    retractionId: String(retractionId),
    phase: phase as RetractionPhase,
    after: String(after),
    start: String(start),
    began: began as Instant | null,
    isFirst: false,
  };
}

function parseParts(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
