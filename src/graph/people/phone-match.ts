import { type PhoneFocus, toIdentifier } from '#domain/identity/focus.js';
import { findStatedName } from '#domain/identity/name-guard.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { HubError } from '#kernel/errors/hub-error.js';
import { focusKey, type Owner } from '../identity/identifiers.queries.js';
import type { NamedOwner } from '../identity/named-owners.queries.js';
import { ambiguousFocusError, createPersonWithPhone, findPhoneOwners } from '../identity/phones.queries.js';
import { belongsToOthers, type PersonMatch, type PersonWriteInput } from './person-match.js';

/** Returns the phone number of an input that nothing else identifies. */
export function findOnlyPhone({ identifiers, entityId }: PersonWriteInput): PhoneFocus | undefined {
  const [first] = identifiers;
  return entityId === undefined && first?.form === 'phone' ? first : undefined;
}

/** Returns the people who have the phone numbers of these inputs, by number. At most one statement. */
export async function lookUpPhones(tx: Tx, inputs: readonly PersonWriteInput[]): Promise<Map<string, NamedOwner[]>> {
  const numbers = inputs.flatMap(input => findOnlyPhone(input)?.value ?? []);
  if (numbers.length === 0) return new Map();
  const found = await findPhoneOwners(tx, numbers);
  return new Map(numbers.map(number => [number, found.get(number) ?? []]));
}

/**
 * Matches the person who has a phone number and whose name fits; creates one if nobody does.
 * @param own people who have the number; a person who is created joins them.
 * @returns HubError `ambiguous_focus` if several fit.
 */
export async function matchPhone(
  tx: Tx,
  input: PersonWriteInput,
  phone: PhoneFocus,
  own: NamedOwner[],
): Promise<PersonMatch | HubError> {
  const toMatch = ({ id, canonicalId }: Owner, matchedOn: string | null): PersonMatch => ({
    focus: { form: 'uuid', id },
    entityId: canonicalId,
    matchedOn,
    conflictingIds: new Set(),
    owners: new Map(),
  });
  const fitting = own.filter(owner => !belongsToOthers(input, new Map([[focusKey(phone), owner]])));
  if (fitting.length > 1) return ambiguousFocusError(fitting);
  if (fitting[0]) return toMatch(fitting[0], phone.form);
  const created = await createPersonWithPhone(tx, toIdentifier(phone), own.length > 0);
  own.push({ ...created, type: 'person', name: findStatedName(input.observations) ?? null });
  const entity = { ...created, created: true, employer: undefined, conflicts: [] };
  return { ...toMatch(created, null), entity };
}
