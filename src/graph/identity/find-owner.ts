import { type PreciseFocus, toIdentifier } from '#domain/identity/focus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { focusKey, findOwners, type Owner } from './identifiers.queries.js';
import { ambiguousFocusError, findPhoneOwners } from './phones.queries.js';

/**
 * Returns the entity that a focus identifies; undefined if there is none.
 * @throws HubError `ambiguous_focus` for a phone number that several entities have.
 */
export async function findOwner(tx: Tx, focus: PreciseFocus): Promise<Owner | undefined> {
  if (focus.form === 'phone') {
    const own = (await findPhoneOwners(tx, [focus.value])).get(focus.value) ?? [];
    if (own.length > 1) throw ambiguousFocusError(own);
    return own[0];
  }
  const isId = focus.form === 'uuid';
  const owners = await findOwners(tx, isId ? [] : [toIdentifier(focus)], isId ? [focus.id] : []);
  return owners.get(focusKey(focus));
}
