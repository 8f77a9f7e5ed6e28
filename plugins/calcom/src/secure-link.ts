import type { Json } from '@rapport/plugin-sdk';
import { findText } from './json-fields.js';

/** The first of these that is an https address; Cal.com also writes rooms, numbers and names of apps there. */
export function findSecureLink(...values: readonly (Json | undefined)[]): string | undefined {
  return values.map(value => findText(value)).find(text => text !== undefined && isSecure(text));
}

function isSecure(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
