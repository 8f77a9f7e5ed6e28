import { parseHalfLives, parseTrustRows } from '#domain/claims/trust.js';
import { isPlainObject } from '#domain/observation/observation.js';
import { parseInstant } from '#domain/time/instant.js';
import { HubError, type FieldProblem } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/http/request-validation.js';
import type { TrustQuery } from './trust.dto.js';
import type { TrustVersionRef } from './trust.queries.js';
import type { TrustInput } from './trust.service.js';

const FIELDS = ['trust', 'half_lives', 'note', 'expected_version', 'dry_run'];
const MAX_NOTE_LENGTH = 500;

/** Returns the version that a query selects. */
export function parseTrustVersion({ version, as_of: asOf }: TrustQuery): TrustVersionRef {
  return { version, asOf: asOf === undefined ? undefined : parseInstant(asOf) };
}

/** Reads the body of POST /v2/workspace/trust. @throws HubError `invalid_request` naming every invalid field. */
export function readTrustInput(body: unknown): TrustInput {
  const {
    trust,
    half_lives: halfLives,
    note = null,
    expected_version: expected,
    dry_run: dryRun = false,
    ...rest
  } = isPlainObject(body) ? body : {};
  const rows = trust === undefined && halfLives !== undefined ? undefined : parseTrustRows(trust);
  const ages = halfLives === undefined ? undefined : parseHalfLives(halfLives);
  const all: FieldProblem[] = [
    ...(rows?.problems ?? []),
    ...(ages?.problems ?? []),
    ...findUnknownFields(rest, FIELDS),
  ];
  if (note !== null && (typeof note !== 'string' || note.length > MAX_NOTE_LENGTH || note.includes('\u0000'))) {
    all.push({ field: 'note', message: `note must be a text of at most ${MAX_NOTE_LENGTH} characters.` });
  }
  if (expected !== undefined && !(Number.isInteger(expected) && Number(expected) >= 0)) {
    all.push({ field: 'expected_version', message: 'expected_version must be the version number that you last read.' });
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
