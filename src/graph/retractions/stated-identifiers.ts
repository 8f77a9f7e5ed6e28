import {
  type EntityType,
  type Identifier,
  type PhoneCountry,
  toExternalFocus,
  toIdentifier,
} from '#domain/identity/focus.js';
import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';

import { findStatedIdentifiers } from '../observations/record-call.js';

/** What an observation states. */
export interface StatedFact {
  readonly kind: ObservationKind;
  readonly property: string;
  readonly value: JsonValue;
}

/** Properties that state identifiers, beside the IDs of records such as `hubspot_id`. */
export const IDENTIFYING_PROPERTIES = ['email', 'linkedin_url', 'domain', 'phone', 'phones'];

const RECORD_ID = /^([a-z][a-z0-9]*)_id$/;

/**
 * Returns text keys of the identifiers that observations state, as {@link toStatedKey} returns them.
 * @param country country of phone numbers without a country code.
 */
export function listStatedKeys(
  facts: readonly StatedFact[],
  type: EntityType,
  country: PhoneCountry | undefined,
): ReadonlySet<string> {
  return new Set(
    facts.flatMap(fact => {
      const draft = { ...fact, source: '', method: '' };
      const system = fact.kind === 'state' ? RECORD_ID.exec(fact.property)?.[1] : undefined;
      const record = system === undefined ? undefined : toExternalFocus(system, String(fact.value), type);
      return [...findStatedIdentifiers(draft, country), ...(record ? [record] : [])].map(toIdentifier).map(toStatedKey);
    }),
  );
}

/** Returns the text key of an identifier. Several people can have a phone number, under keys of their own. */
export function toStatedKey({ kind, key, value }: Identifier): string {
  return kind === 'phone' ? `phone ${value}` : `${kind} ${key}`;
}
