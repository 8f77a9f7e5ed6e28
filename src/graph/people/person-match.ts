import { type PhoneFocus, toIdentifier, type IdentifierFocus, type PreciseFocus } from '#domain/identity/focus.js';
import { findStatedName, areNamesCompatible } from '#domain/identity/names.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import {
  focusKey,
  type Owner,
  entityIdKey,
  type IdentifierKey,
  identifierKey,
} from '../identity/identifiers.queries.js';
import type { NamedOwner } from '../identity/names.queries.js';
import { ambiguousFocusError, createPersonWithPhone, findPhoneOwners } from '../identity/phones.queries.js';
import type { ParsedPerson } from '#domain/people/parse-person.js';
import type { Authored } from '../observations/author.js';
import type { OwnerMap, ResolvedEntity } from '../identity/identity.service.js';

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

/** Sources of people who correct what is stored. */
const CORRECTING_SOURCES = /^(?:user|person)(?::|$)/;

/** Forms of identifiers that people share, so that the name has to fit. */
const GUARDED_FORMS: ReadonlySet<IdentifierFocus['form']> = new Set(['email', 'linkedin', 'phone']);

/** A person to find or create, and the facts to assert. */
export interface PersonWriteInput extends ParsedPerson, Authored {
  /** Id of the entity, if the caller knows it. */
  readonly entityId?: string;
  /** Whether the name may replace that of the owner of an address or profile. Default: only in corrections. */
  readonly mayRename?: boolean;
}

/** The person that an input matches. */
export interface PersonMatch {
  /** Focus that the facts are written to. */
  readonly focus: PreciseFocus;
  /** Canonical id; undefined for a new person. */
  readonly entityId: string | undefined;
  /** Form of the identifier that matched, or `entity_id`; null for a new person. */
  readonly matchedOn: string | null;
  /** Canonical ids of other entities that the identifiers match. */
  readonly conflictingIds: ReadonlySet<string>;
  /** Owners that the look-up of all inputs found. */
  readonly owners: OwnerMap;
  /** The new entity, if it was created already. */
  readonly entity?: ResolvedEntity | undefined;
}

/** The owners of identifiers, by key; null: no owner. */
export type NamedOwners = ReadonlyMap<IdentifierKey, NamedOwner | null>;

/** Returns whether the name that an input states must fit the names of those whose address or profile it gives. */
export function guardsName({ observations, origin, mayRename = false }: PersonWriteInput): boolean {
  return !mayRename && !CORRECTING_SOURCES.test(origin.source) && findStatedName(observations) !== undefined;
}

/** Returns whether an address, profile or phone number belongs to somebody of another name. */
function isOfAnother(input: PersonWriteInput, focus: IdentifierFocus, owner: NamedOwner | null | undefined): boolean {
  if (!owner || !GUARDED_FORMS.has(focus.form) || !guardsName(input)) return false;
  if (owner.type === 'company') return focus.form === 'email';
  return owner.name !== null && !areNamesCompatible(findStatedName(input.observations)!, owner.name);
}

/** Returns whether every identifier of an input belongs to somebody of another name. */
export function belongsToOthers(input: PersonWriteInput, owners: NamedOwners): boolean {
  if (input.entityId !== undefined || input.identifiers.length === 0) return false;
  return input.identifiers.every(focus => isOfAnother(input, focus, owners.get(identifierKey(toIdentifier(focus)))));
}

/**
 * Matches an input by its first identifier that belongs to somebody whose name fits.
 * @returns HubError `entity_not_found` for an unknown id; `identifier_required`.
 */
export function findMatch(input: PersonWriteInput, owners: NamedOwners): PersonMatch | HubError {
  const { identifiers, entityId } = input;
  const known = identifiers.flatMap(focus => {
    const owner = owners.get(identifierKey(toIdentifier(focus)));
    return owner && !isOfAnother(input, focus, owner) ? [{ focus, id: owner.canonicalId }] : [];
  });
  const matched = (focus: PreciseFocus, id: string | undefined, matchedOn: string | null): PersonMatch => {
    const conflictingIds = new Set(
      // Several people can have one phone number, so it contradicts no other identifier.
      known.flatMap(other => (other.id === id || other.focus.form === 'phone' ? [] : [other.id])),
    );
    return { focus, entityId: id, matchedOn, conflictingIds, owners };
  };
  if (entityId !== undefined) {
    const owner = owners.get(entityIdKey(entityId));
    return owner ? matched({ form: 'uuid', id: entityId }, owner.canonicalId, 'entity_id') : HubError.entityNotFound();
  }
  const [first] = known;
  if (first) return matched(first.focus, first.id, first.focus.form);
  const focus = identifiers.find(each => !owners.get(identifierKey(toIdentifier(each)))) ?? identifiers[0];
  return focus ? matched(focus, undefined, null) : new HubError('identifier_required');
}

/**
 * Returns the error for identifiers that belong to different entities.
 * @param more further fields, such as why the entities were not merged.
 */
export function identifierConflictError(ids: Iterable<string>, more: object = {}): HubError {
  return new HubError('identifier_conflict', { extra: { entity_ids: [...new Set(ids)].toSorted(), ...more } });
}
