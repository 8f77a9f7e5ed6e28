import type { FailureResponse } from '@rapport/plugin-sdk';
import { ENTITY_OBJECTS, type EntityObject } from '../adapters/adapter.js';

/** Returns the kind of records that a path names; undefined for another word. */
export function toObjectName(text: string | undefined): EntityObject | undefined {
  return ENTITY_OBJECTS.find(object => object === text);
}

/** The response for records of a kind that is not synced. */
export function unknownObject(): FailureResponse {
  return { status: 404, body: { error: 'not_found', detail: 'Records are of "companies" or "contacts".' } };
}
