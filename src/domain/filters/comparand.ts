import { foldText, toComparableNumber, toComparableText } from '../comparison/canonical-key.js';
import { ruleOf, defaultRules } from '../claims/rules.js';
import { parseFocus } from '../identity/focus.js';
import { nameKey } from '../identity/names.js';
import { canonicalEmailStatus } from '../properties/registry.js';
import { addDuration, DAY_US, type Instant, parseInstant } from '../time/instant.js';
import type { Comparand, Field } from './filter.js';

const UNITS: Readonly<Record<string, Instant>> = {
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: DAY_US,
  w: 7 * DAY_US,
};
const DURATION = /^(\d{1,6})([smhdw])$/;
const RELATIVE = /^([+-])(\d{1,6}[smhdw])$/;

/** Parses a duration such as `30d`, `12h`, `90m`, `45s`, `2w` into microseconds; undefined for anything else. */
export function parseDuration(text: string): Instant | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNITS[unit]!;
}

/** Parses a time in a filter: ISO 8601, or relative to `now` such as `-30d` and `+2h`. */
export function parseTime(text: string, now: Instant): Instant | undefined {
  const [, sign, duration = ''] = RELATIVE.exec(text) ?? [];
  if (sign === undefined) return parseInstant(text);
  return addDuration(now, (sign === '-' ? -1 : 1) * parseDuration(duration)!);
}

const MAX_LENGTH = 1_000;

/** A comparison value, or a description of what is expected. */
export type ComparandResult = { readonly value: Comparand } | { readonly wanted: string };

/** Parses a value for an equality test. */
export function parseComparand({ name, kind, values }: Field, raw: unknown, now: Instant): ComparandResult {
  if (typeof raw === 'string' && (raw.length > MAX_LENGTH || raw.includes('\0')))
    return { wanted: `a text of at most ${MAX_LENGTH} characters` };
  switch (kind) {
    case 'claim':
      return toResult(
        isScalar(raw) ? toComparableText(canonicalWord(name, raw), findNormaliser(name)) : undefined,
        'text, a number, true or false',
      );
    case 'text':
      if (values)
        return toResult(
          values.find(value => value === raw),
          `one of ${values.join(', ')}`,
        );
      return toResult(typeof raw === 'string' ? raw : undefined, 'text');
    case 'name':
      return toResult(typeof raw === 'string' ? nameKey(raw) : undefined, 'text');
    case 'number':
      return toResult(isScalar(raw) ? toComparableNumber(raw) : undefined, 'a number');
    case 'boolean':
      return toResult(
        raw === true || raw === 'true' ? true : raw === false || raw === 'false' ? false : undefined,
        'true or false',
      );
    case 'time':
      return toResult(typeof raw === 'string' ? parseTime(raw, now) : undefined, 'an ISO 8601 time or one like "-30d"');
    case 'uuid':
      return parseIdentifierKey(raw, 'a UUID', 'uuid');
    case 'email':
      return parseIdentifierKey(raw, 'an e-mail address', 'email');
    case 'linkedin':
      return parseIdentifierKey(raw, 'a LinkedIn address', 'linkedin');
    case 'domain':
      return parseIdentifierKey(raw, 'a domain', 'domain');
    case 'account':
      return parseIdentifierKey(raw, 'a company’s UUID or domain', 'uuid', 'domain');
  }
}

/** Parses a value for `$contains` or `$starts_with`. */
export function parseSubstring({ name, kind }: Field, raw: unknown): string | undefined {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH || raw.includes('\0')) return undefined;
  if (kind === 'text') return raw || undefined;
  if (kind === 'linkedin') return foldText(raw).replace(/^(?:https?:\/\/)?(?:www\.)?/, '') || undefined;
  return (kind === 'claim' ? toComparableText(raw, findNormaliser(name)) : foldText(raw)) || undefined;
}

/** Parses a bound of a comparison. Claims compare numbers by value and text alphabetically. */
export function parseBound(field: Field, raw: unknown, now: Instant): ComparandResult {
  if (field.kind === 'claim' && typeof raw === 'number') return { value: raw };
  return parseComparand(field, raw, now);
}

function parseIdentifierKey(raw: unknown, wanted: string, ...forms: readonly string[]): ComparandResult {
  const focus = typeof raw === 'string' ? parseFocus(raw) : undefined;
  if (!focus || !forms.includes(focus.form)) return { wanted };
  return toResult(focus.form === 'uuid' ? focus.id : 'key' in focus ? focus.key : undefined, wanted);
}

function toResult(value: Comparand | undefined, wanted: string): ComparandResult {
  return value === undefined || Number.isNaN(value) ? { wanted } : { value };
}

function isScalar(raw: unknown): raw is Comparand {
  return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean';
}

/** Words of e-mail verifiers are translated to canonical statuses. */
function canonicalWord(property: string, raw: Comparand): Comparand {
  return property === 'email_status' && typeof raw === 'string' ? canonicalEmailStatus(raw) : raw;
}

function findNormaliser(property: string) {
  return ruleOf(defaultRules, property).normaliser;
}
