import { comparableNumber, comparableText } from '#domain/claims/comparable.js';
import { foldedText } from '#domain/claims/canon.js';
import { defaultRules } from '#domain/claims/default-rules.js';
import { ruleOf } from '#domain/claims/rules.js';
import { parseFocus } from '#domain/identity/focus.js';
import { nameKey } from '#domain/identity/names.js';
import { canonicalEmailStatus } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import type { Comparand, Field } from './filter.js';
import { timeOf } from './times.js';

const LONGEST = 1_000;

/** What a field is compared with, or in words what it has to be. */
export type ReadComparand = { readonly value: Comparand } | { readonly wanted: string };

/** Reads a value that a field shall equal. */
export function comparandOf({ name, kind }: Field, raw: unknown, now: Instant): ReadComparand {
  if (typeof raw === 'string' && (raw.length > LONGEST || raw.includes('\0')))
    return { wanted: `a text of at most ${LONGEST} characters` };
  switch (kind) {
    case 'claim':
      return given(
        isScalar(raw) ? comparableText(worded(name, raw), normaliserOf(name)) : undefined,
        'text, a number, true or false',
      );
    case 'text':
      return given(typeof raw === 'string' ? raw : undefined, 'text');
    case 'name':
      return given(typeof raw === 'string' ? nameKey(raw) : undefined, 'text');
    case 'number':
      return given(isScalar(raw) ? comparableNumber(raw) : undefined, 'a number');
    case 'boolean':
      return given(
        raw === true || raw === 'true' ? true : raw === false || raw === 'false' ? false : undefined,
        'true or false',
      );
    case 'time':
      return given(typeof raw === 'string' ? timeOf(raw, now) : undefined, 'an ISO 8601 time or one like "-30d"');
    case 'uuid':
      return identifier(raw, 'a UUID', 'uuid');
    case 'email':
      return identifier(raw, 'an e-mail address', 'email');
    case 'linkedin':
      return identifier(raw, 'a LinkedIn address', 'linkedin');
    case 'account':
      return identifier(raw, 'a company’s UUID or domain', 'uuid', 'domain');
  }
}

/** Reads what a text shall hold or begin with. */
export function partOf({ name, kind }: Field, raw: unknown): string | undefined {
  if (typeof raw !== 'string' || raw.length > LONGEST || raw.includes('\0')) return undefined;
  if (kind === 'text') return raw || undefined;
  if (kind === 'linkedin') return foldedText(raw).replace(/^(?:https?:\/\/)?(?:www\.)?/, '') || undefined;
  return (kind === 'claim' ? comparableText(raw, normaliserOf(name)) : foldedText(raw)) || undefined;
}

/** Reads the limit of a comparison: claims take numbers by value and text in the order of its letters. */
export function limitOf(field: Field, raw: unknown, now: Instant): ReadComparand {
  if (field.kind === 'claim' && typeof raw === 'number') return { value: raw };
  return comparandOf(field, raw, now);
}

function identifier(raw: unknown, wanted: string, ...forms: readonly string[]): ReadComparand {
  const focus = typeof raw === 'string' ? parseFocus(raw) : undefined;
  if (!focus || !forms.includes(focus.form)) return { wanted };
  return given(focus.form === 'uuid' ? focus.id : 'key' in focus ? focus.key : undefined, wanted);
}

function given(value: Comparand | undefined, wanted: string): ReadComparand {
  return value === undefined || Number.isNaN(value) ? { wanted } : { value };
}

function isScalar(raw: unknown): raw is Comparand {
  return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean';
}

/** Words of verifiers for the state of an address are compared as ours. */
function worded(property: string, raw: Comparand): Comparand {
  return property === 'email_status' && typeof raw === 'string' ? canonicalEmailStatus(raw) : raw;
}

function normaliserOf(property: string) {
  return ruleOf(defaultRules, property).normaliser;
}
