import canonicalize from 'canonicalize';
import type { JsonValue } from '#domain/observation/observation.js';

/** `replace`: the content becomes what was sent. `append`: what was sent is added to it. */
export type WriteMode = 'replace' | 'append';

/** The content of a section after a write, or the reason why the write is invalid. */
export type AppliedWrite =
  | { readonly ok: true; readonly content: JsonValue }
  | { readonly ok: false; readonly problem: string };

/**
 * Applies a write to the content of a section. Appending adds a paragraph to a text, members to a list, or fields to an
 * object (replacing fields of the same name). Text cannot be appended to an object, nor an object to a text.
 */
export function applyWrite(before: JsonValue | undefined, sent: JsonValue, mode: WriteMode): AppliedWrite {
  if (mode === 'replace' || before === undefined) return { ok: true, content: sent };
  if (typeof before === 'string' && typeof sent === 'string') return { ok: true, content: `${before}\n\n${sent}` };
  if (Array.isArray(before)) return { ok: true, content: [...before, ...(Array.isArray(sent) ? sent : [sent])] };
  if (isObject(before) && isObject(sent)) return { ok: true, content: { ...before, ...sent } };
  const problem =
    'content cannot be appended to what the section holds; send the same kind of value, or mode "replace".';
  return { ok: false, problem };
}

/** Returns whether two contents are equal, ignoring the order of fields. */
export function isSameContent(one: JsonValue | undefined, other: JsonValue): boolean {
  return one !== undefined && canonicalize(one) === canonicalize(other);
}

function isObject(value: JsonValue): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
