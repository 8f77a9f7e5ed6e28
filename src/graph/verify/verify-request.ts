import { flawOf, isPlainObject } from '#domain/observation/json-check.js';
import { EVENT_PREFIX, type Json } from '#domain/observation/observation.js';
import type { NameHints } from '#domain/identity/match.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/errors.js';
import { unknownFields } from '#kernel/errors/unknown-fields.js';

/** A checked wish to look at a fact again. */
export interface VerifyRequest {
  readonly focus: string;
  /** Which of those who bear a name is meant. */
  readonly hints: NameHints;
  /** As the caller calls it, perhaps by an alias. */
  readonly property: string;
  /** What the caller believes; undefined when it names nothing. Null: that the fact has ended. */
  readonly value: Json | undefined;
  /** Whether connected plugins are asked to look the fact up anew. */
  readonly refresh: boolean;
  /** Valid time and system time; now, where nothing is said. */
  readonly asOf: Instant | undefined;
  readonly knownAt: Instant | undefined;
}

const FIELDS = ['focus', 'type', 'company', 'property', 'value', 'refresh', 'as_of', 'known_at'];
const PROPERTY = /^[a-z][a-z0-9_.-]{0,79}$/;
const LONGEST_FOCUS = 2048;
const LONGEST_HINT = 320;
const MOST_BYTES = 64 * 1024;

type Fields = Readonly<Record<string, Json>>;

/**
 * Reads the body of a verify call, from whichever door.
 * @throws HubError `focus_and_property_required`, `invalid_request`.
 */
export function readVerifyRequest(body: unknown): VerifyRequest {
  const fields = isPlainObject(body) ? body : {};
  refuseUnknown(fields);
  const [focus, property] = [text(fields, 'focus', LONGEST_FOCUS), text(fields, 'property', 200)];
  if (focus === undefined || property === undefined) throw new HubError('focus_and_property_required');
  if (!PROPERTY.test(property) || property.startsWith(EVENT_PREFIX)) {
    throw refused('property', 'property must be the name of a fact, such as title; interactions are not verified.');
  }
  const [asOf, knownAt] = [instant(fields, 'as_of'), instant(fields, 'known_at')];
  const refresh = refreshIn(fields);
  if (refresh && (asOf !== undefined || knownAt !== undefined)) {
    throw refused('refresh', 'refresh asks what is the case now; leave as_of and known_at out.');
  }
  return { focus, hints: hintsIn(fields), property, value: valueIn(fields), refresh, asOf, knownAt };
}

function refuseUnknown(fields: Fields): void {
  const unknown = unknownFields(fields, FIELDS);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
}

/** Undefined for what is absent or blank. */
function text(fields: Fields, field: string, longest: number): string | undefined {
  const value = fields[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length <= longest) return value.trim() === '' ? undefined : value;
  throw refused(field, `${field} must be a text of at most ${longest} characters.`);
}

function hintsIn(fields: Fields): NameHints {
  const company = text(fields, 'company', LONGEST_HINT);
  const type = fields['type'] ?? undefined;
  if (type !== undefined && type !== 'person' && type !== 'company')
    throw refused('type', 'type must be person or company.');
  return { ...(type && { type }), ...(company !== undefined && { company }) };
}

function refreshIn(fields: Fields): boolean {
  const refresh = fields['refresh'] ?? false;
  if (typeof refresh === 'boolean') return refresh;
  throw refused('refresh', 'refresh must be true or false.');
}

function valueIn(fields: Fields): Json | undefined {
  if (!Object.hasOwn(fields, 'value')) return undefined;
  const flaw = flawOf(fields['value'], MOST_BYTES);
  if (flaw) throw refused(`value${flaw.path}`, `value${flaw.path} ${flaw.what}.`);
  return fields['value'];
}

function instant(fields: Fields, field: string): Instant | undefined {
  const value = fields[field] ?? undefined;
  if (value === undefined) return undefined;
  const read = typeof value === 'string' ? parseInstant(value) : undefined;
  if (read !== undefined) return read;
  throw refused(field, `${field} must be an ISO 8601 date or time, such as 2026-11-20T09:30:00Z.`);
}

function refused(field: string, message: string): HubError {
  return HubError.invalidRequest([{ field, message }]);
}
