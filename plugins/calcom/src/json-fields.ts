import type { Json } from '@rapport/plugin-sdk';

/** Fields of something that is hoped to be an object. */
export type Fields = { readonly [field: string]: Json | undefined };

/** The fields of an object; none of anything else. */
export function toFields(json: Json | undefined): Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Fields) : {};
}

/** The elements of a list; none of anything else. */
export function toList(json: Json | undefined): readonly Json[] {
  return Array.isArray(json) ? (json as readonly Json[]) : [];
}

/** The first of these that is a text with something in it, trimmed, without the signs that no text of the hub may have. */
export function findText(...values: readonly (Json | undefined)[]): string | undefined {
  const texts = values.map(value => (typeof value === 'string' ? cleanText(value) : ''));
  return texts.find(text => text !== '');
}

function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').trim();
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * An instant in any spelling of ISO 8601, as UTC with milliseconds and `Z`; undefined for what is none. Without a zone it is
 * UTC, wherever the hub runs.
 */
export function findInstant(...values: readonly (Json | undefined)[]): string | undefined {
  const [match, zone] = ISO.exec(findText(...values) ?? '') ?? [];
  const at = match === undefined ? NaN : Date.parse(zone === undefined ? `${match}Z` : match);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
