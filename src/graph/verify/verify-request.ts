import { findIssue, isPlainObject } from '#domain/observation/value-issue.js';
import { EVENT_PREFIX, type JsonValue } from '#domain/observation/observation.js';
import type { NameHints } from '#domain/identity/match-name.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/errors/unknown-fields.js';

/** A checked wish to look at a fact again. */
export interface VerifyRequest {
  readonly focus: string;
  /** Which of those who bear a name is meant. */
  readonly hints: NameHints;
  /** As the caller calls it, perhaps by an alias. */
  readonly property: string;
  /** What the caller believes; undefined when it names nothing. Null: that the fact has ended. */
  readonly value: JsonValue | undefined;
  /** Whether connected plugins are asked to look the fact up anew. */
  readonly refresh: boolean;
  /** Valid time and system time; now, where nothing is said. */
  readonly asOf: Instant | undefined;
  readonly knownAt: Instant | undefined;
}

const FIELDS = ['focus', 'type', 'company', 'property', 'value', 'refresh', 'as_of', 'known_at'];
const PROPERTY = /^[a-z][a-z0-9_.-]{0,79}$/;
const MAX_FOCUS_LENGTH = 2048;
const MAX_HINT_LENGTH = 320;
const MAX_VALUE_BYTES = 64 * 1024;

type Fields = Readonly<Record<string, JsonValue>>;

/**
 * Reads the body of a verify call, from whichever door.
 * @throws HubError `focus_and_property_required`, `invalid_request`.
 */
export function readVerifyRequest(body: unknown): VerifyRequest {
  const fields = isPlainObject(body) ? body : {};
  rejectUnknownFields(fields);
  const [focus, property] = [readText(fields, 'focus', MAX_FOCUS_LENGTH), readText(fields, 'property', 200)];
  if (focus === undefined || property === undefined) throw new HubError('focus_and_property_required');
  if (!PROPERTY.test(property) || property.startsWith(EVENT_PREFIX)) {
    throw invalidField(
      'property',
      'property must be the name of a fact, such as title; interactions are not verified.',
    );
  }
  const [asOf, knownAt] = [readInstant(fields, 'as_of'), readInstant(fields, 'known_at')];
  const refresh = readRefresh(fields);
  if (refresh && (asOf !== undefined || knownAt !== undefined)) {
    throw invalidField('refresh', 'refresh asks what is the case now; leave as_of and known_at out.');
  }
  return { focus, hints: readHints(fields), property, value: readValue(fields), refresh, asOf, knownAt };
}

function rejectUnknownFields(fields: Fields): void {
  const unknown = findUnknownFields(fields, FIELDS);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
}

/** Undefined for what is absent or blank. */
function readText(fields: Fields, field: string, longest: number): string | undefined {
  const value = fields[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length <= longest) return value.trim() === '' ? undefined : value;
  throw invalidField(field, `${field} must be a text of at most ${longest} characters.`);
}

function readHints(fields: Fields): NameHints {
  const company = readText(fields, 'company', MAX_HINT_LENGTH);
  const type = fields['type'] ?? undefined;
  if (type !== undefined && type !== 'person' && type !== 'company')
    throw invalidField('type', 'type must be person or company.');
  return { ...(type && { type }), ...(company !== undefined && { company }) };
}

function readRefresh(fields: Fields): boolean {
  const refresh = fields['refresh'] ?? false;
  if (typeof refresh === 'boolean') return refresh;
  throw invalidField('refresh', 'refresh must be true or false.');
}

function readValue(fields: Fields): JsonValue | undefined {
  if (!Object.hasOwn(fields, 'value')) return undefined;
  const flaw = findIssue(fields['value'], MAX_VALUE_BYTES);
  if (flaw) throw invalidField(`value${flaw.path}`, `value${flaw.path} ${flaw.message}.`);
  return fields['value'];
}

function readInstant(fields: Fields, field: string): Instant | undefined {
  const value = fields[field] ?? undefined;
  if (value === undefined) return undefined;
  const read = typeof value === 'string' ? parseInstant(value) : undefined;
  if (read !== undefined) return read;
  throw invalidField(field, `${field} must be an ISO 8601 date or time, such as 2026-11-20T09:30:00Z.`);
}

function invalidField(field: string, message: string): HubError {
  return HubError.invalidRequest([{ field, message }]);
}
