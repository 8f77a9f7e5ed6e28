import { DAY, type Instant, parseInstant } from '#domain/time/instant.js';
import { excerptOf } from './excerpt.js';
import { type Flaw, flawOf, flawOfText, isPlainObject } from './json-check.js';
import {
  DEFAULT_METHOD,
  DEFAULT_SOURCE,
  EVENT_PREFIX,
  type Json,
  type ObservationInput,
  type ObservationKind,
  type Problem,
} from './observation.js';
import { unknownFieldsOf } from './unknown-fields.js';

/** Largest `value` and `raw`, in bytes of UTF-8 JSON. */
export const MAX_VALUE_BYTES = 64 * 1024;
export const MAX_RAW_BYTES = 256 * 1024;

const MAX_ORIGIN = 100;
const MAX_EXTERNAL_ID = 512;
const MAX_AHEAD = 366 * DAY;
const EVENT = /^interaction\.[a-z0-9_]{1,80}$/;
const STATE = /^[a-z][a-z0-9_.-]{0,79}$/;

type Item = Record<string, unknown>;
/** Told of each problem of the observation at hand. */
type Report = (field: string, message: string) => void;

/**
 * Checks one observation and fills in its defaults. A null in an optional field other than `value` is the same as
 * leaving it out. Problems are pushed onto `problems`; the answer is only of use when none were.
 */
export function readObservation(
  raw: unknown,
  index: number,
  now: Instant,
  problems: Problem[],
): ObservationInput | undefined {
  const report: Report = (field, message) => void problems.push({ index, field, message });
  if (!isPlainObject(raw)) {
    report('observations', `Element ${index} must be an object such as {"kind": "state", "property": "title"}.`);
    return undefined;
  }
  for (const { field, message } of unknownFieldsOf(raw)) report(field, message);
  const kind = kindOf(raw, report);
  const input: ObservationInput = {
    kind: kind ?? 'state',
    property: propertyOf(raw, kind, report),
    value: valueOf(raw, kind, report),
    source: originOf(raw, 'source', DEFAULT_SOURCE, report),
    method: originOf(raw, 'method', DEFAULT_METHOD, report),
  };
  if (isGiven(raw['observed_at'])) input.observedAt = timeOf(raw['observed_at'], now, report);
  if (isGiven(raw['external_id'])) input.externalId = externalIdOf(raw['external_id'], report);
  if (isGiven(raw['raw'])) input.raw = payloadOf(raw['raw'], report);
  return input;
}

function kindOf({ kind }: Item, report: Report): ObservationKind | undefined {
  if (kind === 'event' || kind === 'state') return kind;
  report('kind', `kind must be "event" or "state"${kind === undefined ? '' : `, not ${quoted(kind)}`}.`);
  return undefined;
}

function propertyOf({ property }: Item, kind: ObservationKind | undefined, report: Report): string {
  if (typeof property !== 'string' || property === '') {
    report('property', 'property must be given, for example "title" or "interaction.email_sent".');
    return '';
  }
  if (kind === 'event' && !EVENT.test(property)) {
    const mend = property.startsWith(EVENT_PREFIX) ? 'use a-z, 0-9 and _ after the dot' : 'for a fact, kind is "state"';
    report(
      'property',
      `The property of an event looks like "interaction.email_sent", not ${quoted(property)}; ${mend}.`,
    );
  }
  if (kind === 'state' && property.startsWith(EVENT_PREFIX)) {
    report('property', `${quoted(property)} names an event; set kind to "event", or name the fact, such as "title".`);
  } else if (kind === 'state' && !STATE.test(property)) {
    const rule = 'a letter a-z, then at most 79 of a-z, 0-9, "_", "." and "-"';
    report('property', `The property of a state is ${rule}, such as "title"; ${quoted(property)} is not.`);
  }
  return property;
}

/** A state without a value is a slip of the sender's far more often than the end of a fact, which null says aloud. */
function valueOf({ value }: Item, kind: ObservationKind | undefined, report: Report): Json {
  if (value === undefined) {
    if (kind === 'state') report('value', 'value must be given for a state; null says that the fact has ended.');
    return null;
  }
  const flaw = flawOf(value, MAX_VALUE_BYTES);
  if (flaw) report('value', worded('value', flaw));
  return value as Json;
}

function originOf(item: Item, field: 'source' | 'method', usual: string, report: Report): string {
  const given = item[field];
  if (!isGiven(given)) return usual;
  if (typeof given === 'string' && given.length <= MAX_ORIGIN && given.trim() !== '') {
    const flaw = flawOfText(given);
    if (flaw) report(field, `${field} ${flaw}.`);
    return given;
  }
  report(field, `${field} must be a text of 1 to ${MAX_ORIGIN} characters, such as "${usual}"; left out, it is that.`);
  return usual;
}

function timeOf(given: unknown, now: Instant, report: Report): Instant | undefined {
  const instant = typeof given === 'string' ? parseInstant(given) : undefined;
  if (instant === undefined) {
    const example = '"2026-11-20" or "2026-11-20T09:30:00Z"';
    report('observed_at', `observed_at must be an ISO 8601 date or time such as ${example}, not ${quoted(given)}.`);
  } else if (instant > now + MAX_AHEAD) {
    report('observed_at', `observed_at ${quoted(given)} lies more than 366 days ahead; check the year.`);
  }
  return instant;
}

function externalIdOf(given: unknown, report: Report): string | undefined {
  if (typeof given !== 'string' || given.length < 1 || given.length > MAX_EXTERNAL_ID) {
    report('external_id', `external_id must be a text of 1 to ${MAX_EXTERNAL_ID} characters, or be left out.`);
    return undefined;
  }
  const flaw = flawOfText(given);
  if (flaw) report('external_id', `external_id ${flaw}.`);
  return given;
}

function payloadOf(given: unknown, report: Report): Record<string, Json> | undefined {
  if (!isPlainObject(given)) {
    report('raw', 'raw must be an object: the upstream payload as it came.');
    return undefined;
  }
  const flaw = flawOf(given, MAX_RAW_BYTES);
  if (flaw) report('raw', worded('raw', flaw));
  return given;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function worded(field: string, { path, what }: Flaw): string {
  return `${field}${excerptOf(path)} ${what}.`;
}

/** What was sent, short; a container is only named, because writing it out could be as deep as the sender likes. */
function quoted(given: unknown): string {
  if (Array.isArray(given)) return 'an array';
  return typeof given === 'object' && given !== null ? 'an object' : excerptOf(JSON.stringify(given));
}
