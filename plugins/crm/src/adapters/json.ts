import type { HttpResponse, Json, JsonObject } from '@rapport/plugin-sdk';

/** Returns the fields of a response; none if it is no JSON, such as the page of a proxy. */
export function readBody(response: HttpResponse): JsonObject {
  try {
    return toObject(response.json());
  } catch {
    return {};
  }
}

/** Returns the fields of an object; none of another value. */
export function toObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** Returns the members of a list; none of another value. */
export function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Returns a text that is not blank. */
export function toText(value: Json | undefined): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
