import type { Json } from '@rapport/plugin-sdk';

/** Fields of something that is hoped to be an object. */
export type Fields = { readonly [field: string]: Json | undefined };

/** The fields of an object; none of anything else. */
export function fieldsOf(json: Json | undefined): Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Fields) : {};
}

/** The elements of a list; none of anything else. */
export function listOf(json: Json | undefined): readonly Json[] {
  return Array.isArray(json) ? (json as readonly Json[]) : [];
}

/** The first of these that is a text with something in it, trimmed. */
export function textOf(...values: readonly (Json | undefined)[]): string | undefined {
  const text = values.find(value => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? text.trim() : undefined;
}

/** An instant in any spelling of ISO 8601, as UTC with milliseconds and `Z`; undefined for what is none. */
export function instantOf(...values: readonly (Json | undefined)[]): string | undefined {
  const text = textOf(...values);
  const at = text === undefined ? NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
