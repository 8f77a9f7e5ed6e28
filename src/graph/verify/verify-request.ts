import { findIssue, isPlainObject, EVENT_PREFIX, type JsonValue } from '#domain/observation/observation.js';
import type { NameHints } from '#domain/identity/match-name.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/http/request-validation.js';

/** A validated request to verify a fact. */
export interface VerifyRequest {
  readonly focus: string;
  /** Disambiguates a name. */
  readonly hints: NameHints;
  /** The caller's name of the property, possibly an alias. */
  readonly property: string;
  /** The value that the caller believes; null if it believes that the fact has ended; undefined if not sent. */
  readonly value: JsonValue | undefined;
  /** Whether to request connected plugins to refresh the fact. */
  readonly refresh: boolean;
  /** Valid time and, in `knownAt`, system time. Both default to now. */
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
 * Validates the body of a REST or tool call.
 * @throws HubError `focus_and_property_required`, `invalid_request`.
 */
export function readVerifyRequest(body: unknown): VerifyRequest {
  const fields = isPlainObject(body) ? body : {};
  rejectUnknownFields(fields);
  const [focus, property] = [readText(fields, 'focus', MAX_FOCUS_LENGTH), readText(fields, 'property', 200)];
  if (focus === undefined || property === undefined) throw new HubError('focus_and_property_required');
  if (!PROPERTY.test(property) || property.startsWith(EVENT_PREFIX)) {
    throw HubError.invalidField(
      'property',
      'property must be the name of a fact, such as title; interactions are not verified.',
    );
  }
  const [asOf, knownAt] = [readInstant(fields, 'as_of'), readInstant(fields, 'known_at')];
  const refresh = readRefresh(fields);
  if (refresh && (asOf !== undefined || knownAt !== undefined)) {
    throw HubError.invalidField('refresh', 'refresh checks the present; omit as_of and known_at.');
  }
  return { focus, hints: readHints(fields), property, value: readValue(fields), refresh, asOf, knownAt };
}

function rejectUnknownFields(fields: Fields): void {
  const unknown = findUnknownFields(fields, FIELDS);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
}

/** Returns a text field; undefined if it is absent or blank. */
function readText(fields: Fields, field: string, maxLength: number): string | undefined {
  const value = fields[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length <= maxLength) return value.trim() === '' ? undefined : value;
  throw HubError.invalidField(field, `${field} must be a text of at most ${maxLength} characters.`);
}

function readHints(fields: Fields): NameHints {
  const company = readText(fields, 'company', MAX_HINT_LENGTH);
  const type = fields['type'] ?? undefined;
  if (type !== undefined && type !== 'person' && type !== 'company')
    throw HubError.invalidField('type', 'type must be person or company.');
  return { ...(type && { type }), ...(company !== undefined && { company }) };
}

function readRefresh(fields: Fields): boolean {
  const refresh = fields['refresh'] ?? false;
  if (typeof refresh === 'boolean') return refresh;
  throw HubError.invalidField('refresh', 'refresh must be true or false.');
}

function readValue(fields: Fields): JsonValue | undefined {
  if (!Object.hasOwn(fields, 'value')) return undefined;
  const issue = findIssue(fields['value'], MAX_VALUE_BYTES);
  if (issue) throw HubError.invalidField(`value${issue.path}`, `value${issue.path} ${issue.message}.`);
  return fields['value'];
}

function readInstant(fields: Fields, field: string): Instant | undefined {
  const value = fields[field] ?? undefined;
  if (value === undefined) return undefined;
  const read = typeof value === 'string' ? parseInstant(value) : undefined;
  if (read !== undefined) return read;
  throw HubError.invalidField(field, `${field} must be an ISO 8601 date or time, such as 2026-11-20T09:30:00Z.`);
}
