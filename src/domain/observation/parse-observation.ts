import {
  explainPlaceholder,
  findPlaceholders,
  type ValueIssue,
  findIssue,
  findTextIssue,
  isPlainObject,
  type ObservationProblem,
  DEFAULT_METHOD,
  DEFAULT_SOURCE,
  EVENT_PREFIX,
  type JsonValue,
  type ObservationDraft,
  type ObservationKind,
  MAX_BATCH_OBSERVATIONS,
} from './observation.js';
import { truncate } from './summary.js';
import { DAY_US, type Instant, parseInstant } from '../time/instant.js';

const FIELDS = ['kind', 'property', 'value', 'source', 'method', 'observed_at', 'external_id', 'raw'];
const KNOWN_FIELDS = new Set(FIELDS);
const FIELD_BY_COMPACT_NAME = new Map(FIELDS.map(field => [field.replaceAll('_', ''), field]));

/**
 * Returns a problem for each unknown field of an observation, with a suggestion of the field that was probably meant.
 */
export function findUnknownObservationFields(item: Record<string, unknown>): ObservationProblem[] {
  const problems: ObservationProblem[] = [];
  for (const key of Object.keys(item)) {
    if (KNOWN_FIELDS.has(key)) continue;
    const field = truncate(key);
    const meant = FIELD_BY_COMPACT_NAME.get(key.toLowerCase().replace(/[^a-z]/g, ''));
    const hint = meant ? `write it ${meant}` : `known are ${FIELDS.join(', ')}`;
    problems.push({ field, message: `${JSON.stringify(field)} is no field of an observation; ${hint}.` });
  }
  return problems;
}

/** Maximum size of `value` and `raw`, in bytes of UTF-8 JSON. */
export const MAX_VALUE_BYTES = 64 * 1024;
export const MAX_RAW_BYTES = 256 * 1024;

const MAX_ORIGIN_LENGTH = 100;
const MAX_EXTERNAL_ID_LENGTH = 512;
const MAX_FUTURE_US = 366 * DAY_US;
const EVENT_PROPERTY = /^interaction\.[a-z0-9_]{1,80}$/;
/** Names of columns and fields of entities, which a property of the same name would hide in rows and filters. */
const RESERVED_PROPERTIES: ReadonlySet<string> = new Set([
  'id',
  'workspace_id',
  'entity_id',
  'entity_type',
  'created_at',
  'updated_at',
  'deleted_at',
  'constructor',
  'prototype',
]);
const STATE_PROPERTY = /^[a-z][a-z0-9_.-]{0,79}$/;

type RawObservation = Record<string, unknown>;
/** Reports a problem of the current observation. */
type ProblemReporter = (field: string, message: string) => void;

/**
 * Validates one observation and sets its defaults. Null in an optional field other than `value` is the same as leaving
 * it out. Problems are appended to `problems`; the result is valid only if there are none.
 */
export function parseObservation(
  raw: unknown,
  index: number,
  now: Instant,
  problems: ObservationProblem[],
): ObservationDraft | undefined {
  const report: ProblemReporter = (field, message) => void problems.push({ index, field, message });
  if (!isPlainObject(raw)) {
    report('observations', `Element ${index} must be an object such as {"kind": "state", "property": "title"}.`);
    return undefined;
  }
  for (const { field, message } of findUnknownObservationFields(raw)) report(field, message);
  const kind = parseKind(raw, report);
  const property = parseProperty(raw, kind, report);
  const input: ObservationDraft = {
    kind: kind ?? 'state',
    property,
    value: parseValue(raw, kind, property, report),
    source: parseOrigin(raw, 'source', DEFAULT_SOURCE, report),
    method: parseOrigin(raw, 'method', DEFAULT_METHOD, report),
  };
  if (isGiven(raw['observed_at'])) input.observedAt = parseObservedAt(raw['observed_at'], now, report);
  if (isGiven(raw['external_id'])) input.externalId = parseExternalId(raw['external_id'], report);
  if (isGiven(raw['raw'])) input.raw = parseRaw(raw['raw'], report);
  return input;
}

/** Returns whether a text can name the property of a state: it has the form of one and is not reserved. */
export function isPropertyName(text: string): boolean {
  return STATE_PROPERTY.test(text) && !RESERVED_PROPERTIES.has(text);
}

function parseKind({ kind }: RawObservation, report: ProblemReporter): ObservationKind | undefined {
  if (kind === 'event' || kind === 'state') return kind;
  report('kind', `kind must be "event" or "state"${kind === undefined ? '' : `, not ${quoteGiven(kind)}`}.`);
  return undefined;
}

function parseProperty(
  { property }: RawObservation,
  kind: ObservationKind | undefined,
  report: ProblemReporter,
): string {
  if (typeof property !== 'string' || property === '') {
    report('property', 'property must be given, for example "title" or "interaction.email_sent".');
    return '';
  }
  if (kind === 'event' && !EVENT_PROPERTY.test(property)) {
    const hint = property.startsWith(EVENT_PREFIX) ? 'use a-z, 0-9 and _ after the dot' : 'for a fact, kind is "state"';
    report(
      'property',
      `The property of an event looks like "interaction.email_sent", not ${quoteGiven(property)}; ${hint}.`,
    );
  }
  if (kind === 'state' && property.startsWith(EVENT_PREFIX)) {
    report(
      'property',
      `${quoteGiven(property)} names an event; set kind to "event", or name the fact, such as "title".`,
    );
  } else if (kind === 'state' && !STATE_PROPERTY.test(property)) {
    const rule = 'a letter a-z, then at most 79 of a-z, 0-9, "_", "." and "-"';
    report('property', `The property of a state is ${rule}, such as "title"; ${quoteGiven(property)} is not.`);
  } else if (kind === 'state' && !isPropertyName(property)) {
    report(
      'property',
      `${quoteGiven(property)} is reserved for the record itself; choose another name, such as "crm_id".`,
    );
  }
  return property;
}

/**
 * A state without a value is more often a mistake of the sender than the end of a fact, which null states. A placeholder
 * such as `N/A` would become a fact that an agent repeats to a customer.
 */
function parseValue(
  { value }: RawObservation,
  kind: ObservationKind | undefined,
  property: string,
  report: ProblemReporter,
): JsonValue {
  if (value === undefined) {
    if (kind === 'state') report('value', 'value must be given for a state; null says that the fact has ended.');
    return null;
  }
  const flaw = findIssue(value, MAX_VALUE_BYTES);
  if (flaw) report('value', formatIssue('value', flaw));
  else if (kind === 'state') {
    for (const { path, text } of findPlaceholders(property, value as JsonValue))
      report('value', explainPlaceholder(`value${path}`, text));
  }
  return value as JsonValue;
}

function parseOrigin(item: RawObservation, field: 'source' | 'method', usual: string, report: ProblemReporter): string {
  const given = item[field];
  if (!isGiven(given)) return usual;
  if (typeof given === 'string' && given.length <= MAX_ORIGIN_LENGTH && given.trim() !== '') {
    const flaw = findTextIssue(given);
    if (flaw) report(field, `${field} ${flaw}.`);
    return given;
  }
  report(
    field,
    `${field} must be a text of 1 to ${MAX_ORIGIN_LENGTH} characters, such as "${usual}"; left out, it is that.`,
  );
  return usual;
}

function parseObservedAt(given: unknown, now: Instant, report: ProblemReporter): Instant | undefined {
  const instant = typeof given === 'string' ? parseInstant(given) : undefined;
  if (instant === undefined) {
    const example = '"2026-11-20" or "2026-11-20T09:30:00Z"';
    report('observed_at', `observed_at must be an ISO 8601 date or time such as ${example}, not ${quoteGiven(given)}.`);
  } else if (instant > now + MAX_FUTURE_US) {
    report('observed_at', `observed_at ${quoteGiven(given)} lies more than 366 days ahead; check the year.`);
  }
  return instant;
}

function parseExternalId(given: unknown, report: ProblemReporter): string | undefined {
  if (typeof given !== 'string' || given.length < 1 || given.length > MAX_EXTERNAL_ID_LENGTH) {
    report('external_id', `external_id must be a text of 1 to ${MAX_EXTERNAL_ID_LENGTH} characters, or be left out.`);
    return undefined;
  }
  const flaw = findTextIssue(given);
  if (flaw) report('external_id', `external_id ${flaw}.`);
  return given;
}

function parseRaw(given: unknown, report: ProblemReporter): Record<string, JsonValue> | undefined {
  if (!isPlainObject(given)) {
    report('raw', 'raw must be an object: the upstream payload as it came.');
    return undefined;
  }
  const flaw = findIssue(given, MAX_RAW_BYTES);
  if (flaw) report('raw', formatIssue('raw', flaw));
  return given;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function formatIssue(field: string, { path, message }: ValueIssue): string {
  return `${field}${truncate(path)} ${message}.`;
}

/** Quotes a value in short. Containers are only named, because they could be nested arbitrarily deep. */
function quoteGiven(given: unknown): string {
  if (Array.isArray(given)) return 'an array';
  return typeof given === 'object' && given !== null ? 'an object' : truncate(JSON.stringify(given));
}

/** Maximum number of problems in one response. */
export const MAX_OBSERVATION_PROBLEMS = 100;

/**
 * A batch is accepted or rejected as a whole. `tooMany` is the number of elements if there are more than {@link
 * MAX_BATCH_OBSERVATIONS}; they are then not validated.
 */
export type ObservationsResult =
  | { ok: true; observations: ObservationDraft[] }
  | { ok: false; problems: ObservationProblem[]; tooMany?: number };

/**
 * Validates the `observations` of a call and sets their defaults; used by REST, MCP and plugins alike. `now` is the
 * time of receipt: no observation may be more than 366 days later. Reports up to {@link MAX_OBSERVATION_PROBLEMS}
 * problems.
 */
export function parseObservations(raw: unknown, now: Instant): ObservationsResult {
  if (!Array.isArray(raw) || raw.length === 0) {
    return rejectBatch('observations must be an array with at least one observation.');
  }
  if (raw.length > MAX_BATCH_OBSERVATIONS) {
    const message = `At most ${MAX_BATCH_OBSERVATIONS} observations go in one call; these are ${raw.length}. Split them.`;
    return { ...rejectBatch(message), tooMany: raw.length };
  }
  const observations: ObservationDraft[] = [];
  const problems: ObservationProblem[] = [];
  for (const [index, item] of raw.entries()) {
    const observation = parseObservation(item, index, now, problems);
    if (problems.length >= MAX_OBSERVATION_PROBLEMS)
      return { ok: false, problems: problems.slice(0, MAX_OBSERVATION_PROBLEMS) };
    if (observation) observations.push(observation);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, observations };
}

function rejectBatch(message: string): { ok: false; problems: ObservationProblem[] } {
  return { ok: false, problems: [{ field: 'observations', message }] };
}
