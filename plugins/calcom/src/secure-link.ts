import type { Json } from '@rapport/plugin-sdk';
import { textOf } from './reading.js';

/** The first of these that is an https address; Cal.com also writes rooms, numbers and names of apps there. */
export function secureLinkOf(...values: readonly (Json | undefined)[]): string | undefined {
  return values.map(value => textOf(value)).find(text => text !== undefined && isSecure(text));
}

function isSecure(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
