import { readHalfLives } from '#domain/claims/half-lives.js';
import { readTrustRows } from '#domain/claims/trust-table.js';
import { isPlainObject } from '#domain/observation/json-check.js';
import { parseInstant } from '#domain/time/instant.js';
import { HubError, type Problem } from '#kernel/errors/errors.js';
import { unknownFields } from '#kernel/errors/unknown-fields.js';
import type { TrustQueryDto } from './trust.dto.js';
import type { TrustPlace } from './trust.queries.js';
import type { TrustWish } from './trust.service.js';

const FIELDS = ['trust', 'half_lives', 'note', 'expected_version', 'dry_run'];
const LONGEST_NOTE = 500;

/** The version that a query asks for. */
export function trustPlaceOf({ version, as_of: asOf }: TrustQueryDto): TrustPlace {
  return { version, asOf: asOf === undefined ? undefined : parseInstant(asOf) };
}

/** Reads the body of POST /v2/workspace/trust. @throws HubError `invalid_request` naming every field. */
export function readTrustWish(body: unknown): TrustWish {
  const {
    trust,
    half_lives: halfLives,
    note = null,
    expected_version: expected,
    dry_run: dryRun = false,
    ...rest
  } = isPlainObject(body) ? body : {};
  const rows = trust === undefined && halfLives !== undefined ? undefined : readTrustRows(trust);
  const ages = halfLives === undefined ? undefined : readHalfLives(halfLives);
  const all: Problem[] = [...(rows?.problems ?? []), ...(ages?.problems ?? []), ...unknownFields(rest, FIELDS)];
  if (note !== null && (typeof note !== 'string' || note.length > LONGEST_NOTE || note.includes('\u0000'))) {
    all.push({ field: 'note', message: `note must be a text of at most ${LONGEST_NOTE} characters.` });
  }
  if (expected !== undefined && !(Number.isInteger(expected) && Number(expected) >= 0)) {
    all.push({ field: 'expected_version', message: 'expected_version must be the version that you have seen.' });
  }
  if (typeof dryRun !== 'boolean') all.push({ field: 'dry_run', message: 'dry_run must be true or false.' });
  if (all.length > 0) throw HubError.invalidRequest(all);
  return {
    trust: rows?.rows,
    halfLives: ages?.halfLives,
    note: typeof note === 'string' ? note : null,
    expectedVersion: typeof expected === 'number' ? expected : undefined,
    dryRun: dryRun === true,
  };
}
