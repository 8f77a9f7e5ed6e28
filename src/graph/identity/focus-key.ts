import { type PreciseFocus, toIdentifier } from '#domain/identity/focus.js';
import { entityIdKey, type IdentifierKey, identifierKey } from './identifiers.queries.js';

/** Returns the key of a focus. */
export function focusKey(focus: PreciseFocus): IdentifierKey {
  return focus.form === 'uuid' ? entityIdKey(focus.id) : identifierKey(toIdentifier(focus));
}
