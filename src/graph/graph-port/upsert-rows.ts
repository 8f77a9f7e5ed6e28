import { isSystemName, toExternalFocus, type IdentifierFocus, type PhoneCountry } from '#domain/identity/focus.js';
import {
  computeDigest,
  deriveRecordKey,
  type ObservationDraft,
  type ObservationProblem,
} from '#domain/observation/observation.js';
import type { ParsedPerson, parsePerson } from '#domain/people/parse-person.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { PermanentError } from '#sdk/errors.js';
import type { UpsertResult } from '#sdk/ports/people-port.js';
import type { RecordResponse } from '../observations/observations.presenter.js';

/** What the rows of one call have in common. */
export interface UpsertRowOptions {
  /** System whose IDs the rows have. */
  readonly system: string;
  readonly source: string;
  readonly observedAt: Instant | undefined;
  /** Country of phone numbers without a country code. */
  readonly country: PhoneCountry | undefined;
}

/** The error of a row, and the field that it is about. */
export interface UpsertRowError {
  readonly error: string;
  readonly field: string;
}

/** A row as a plugin sends it. */
type UpsertRow = Readonly<Record<string, unknown>> & {
  readonly external_id?: string;
  readonly observed_at?: string;
};

/** A parsed row. Its observations have deduplication keys. */
export interface ParsedUpsertRow extends ParsedPerson {
  /** The ID of the record, if the row has one; one of the identifiers. */
  readonly external: IdentifierFocus | undefined;
}

/** Parses the time of a call. @throws PermanentError if it is invalid */
export function parseObservedAt(observedAt: string | undefined): Instant | undefined {
  const at = observedAt === undefined ? undefined : parseInstant(observedAt);
  if (observedAt !== undefined && at === undefined) throw new PermanentError('observedAt is no ISO 8601 time.');
  return at;
}

/** @throws PermanentError if the name of a system is invalid */
export function requireSystemName(system: string): void {
  if (!isSystemName(system))
    throw new PermanentError(
      'system must be a name in lower case, such as "hubspot": letters, digits, "_", "." or "-".',
    );
}

/** Parses a row. Empty values are ignored, because an empty cell of a table does not end a fact. */
export function parseUpsertRow(
  { external_id: recordId, observed_at, ...row }: UpsertRow,
  type: 'person' | 'company',
  parse: typeof parsePerson,
  { system, source, observedAt, country }: UpsertRowOptions,
): ParsedUpsertRow | UpsertRowError {
  const external = recordId === undefined ? undefined : toExternalFocus(system, String(recordId), type);
  if (recordId !== undefined && !external)
    return { error: 'external_id must be the ID of the record, at most 320 characters.', field: 'external_id' };
  const time = observed_at === undefined ? observedAt : parseInstant(observed_at);
  if (observed_at !== undefined && time === undefined)
    return { error: 'observed_at must be an ISO 8601 time, such as 2026-11-20T09:00:00Z.', field: 'observed_at' };
  const fields = Object.entries(row).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const problems: ObservationProblem[] = [];
  const origin = { source, method: 'plugin' };
  const options = {
    origin,
    now: Date.now() * 1_000,
    reserved: new Set<string>(),
    placeholders: 'ignore',
    country,
  } as const;
  const read = parse(Object.fromEntries(fields), options, problems);
  const [problem] = problems;
  if (problem) return { error: problem.message, field: problem.field };
  const at = time === undefined ? {} : { observedAt: time };
  const observations = read.observations.map(observation => {
    const timed = { ...observation, ...at };
    if (external) return { ...timed, externalId: deriveRecordKey(system, external.id, timed) };
    return time === undefined ? timed : withKey({ ...observation, observedAt: time });
  });
  return { ...read, observations, external };
}

/** Adds a deduplication key: the same value of the same time, from the same source, is a repeat. */
function withKey(observation: ObservationDraft & { observedAt: Instant }): ObservationDraft {
  return { ...observation, externalId: `fact:${computeDigest(observation)}` };
}

/** Converts the response of the write of a row. @param matchedBy form of the identifier that matched */
export function toUpsertResult(
  body: RecordResponse,
  matchedBy: string | null,
  { warnings, observations }: Pick<ParsedPerson, 'warnings' | 'observations'>,
): UpsertResult {
  // The key of a fact holds its value, so that only the default time of a repeat can differ.
  const repeats = new Set(
    body.conflicts.flatMap(({ index }) => (observations[index]?.observedAt === undefined ? [index] : [])),
  );
  return {
    entity_id: body.entity_id,
    created: matchedBy === null,
    matched_by: matchedBy,
    recorded: body.recorded,
    duplicates: body.duplicates + repeats.size,
    conflicts: body.conflicts
      .filter(({ index }) => !repeats.has(index))
      .map(each => ({ ...each, property: observations[each.index]!.property })),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Returns the error of a row that was not written. @throws the error itself if a retry can succeed */
export function toRowError(error: unknown): { readonly error: string; readonly field?: string } {
  if (error instanceof PermanentError) return { error: error.message };
  if (!(error instanceof HubError) || error.status >= 500) throw error;
  const [first] = error.details ?? [];
  return { error: first?.message ?? error.detail ?? error.code, ...(first?.field && { field: first.field }) };
}
