import { type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** Default and maximum number of rows that one page retracts. */
export const MAX_RETRACTED_ROWS = 1_000;
/** Maximum length of a source. */
export const MAX_SOURCE_LENGTH = 200;

/** Sources of the hub itself. What they state follows from what was stated by others. */
const HUB_SOURCES = 'system:';

/** What a caller sends. */
export interface RetractFields {
  readonly source: string;
  readonly reason?: string | undefined;
  /** ISO 8601. */
  readonly since?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly dry_run?: boolean | undefined;
}

/** A request to retract what a source stated. */
export interface RetractInput {
  readonly source: string;
  readonly reason: string | null;
  /** Time before which the source stated nothing; shortens the search. */
  readonly since: Instant | undefined;
  /** Cursor of the previous page. */
  readonly cursor: string | undefined;
  /** Maximum number of rows. */
  readonly limit: number;
  readonly dryRun: boolean;
}

/** A request to retract one observation. */
export interface RetractOneInput {
  readonly id: string;
  readonly reason: string | null;
  readonly dryRun: boolean;
}

/** Validates a request. @throws HubError `invalid_request` that names the field. */
export function readRetractRequest(fields: RetractFields): RetractInput {
  const { source, reason = null, cursor, limit = MAX_RETRACTED_ROWS, dry_run: dryRun = false } = fields;
  if (source.trim() === '' || source.length > MAX_SOURCE_LENGTH)
    throw invalidField('source', `source must have 1 to ${MAX_SOURCE_LENGTH} characters.`);
  requireRetractableSource(source);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_RETRACTED_ROWS)
    throw invalidField('limit', `limit must be a whole number from 1 to ${MAX_RETRACTED_ROWS}.`);
  const since = fields.since === undefined ? undefined : parseInstant(fields.since);
  if (fields.since !== undefined && since === undefined)
    throw invalidField('since', 'since must be an ISO 8601 time, such as 2026-11-20T09:30:00Z.');
  return { source, reason, since, cursor, limit, dryRun };
}

/** Checks that a source is not one of the hub. @throws HubError `invalid_request` */
export function requireRetractableSource(source: string): void {
  if (source.startsWith(HUB_SOURCES))
    throw invalidField(
      'source',
      'source must not be one of the hub itself: what it derives follows what is retracted.',
    );
}

function invalidField(field: string, message: string): HubError {
  return HubError.invalidRequest([{ field, message }]);
}
