import { type Identifier, type IdentifierFocus, type PreciseFocus, toIdentifier } from '#domain/identity/focus.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { HubError } from '#kernel/errors/hub-error.js';
import { findOwners, focusKey, type IdentifierKey, type Owner } from './identifiers.queries.js';
import { ambiguousFocusError, findPhoneOwners, toSharedPhone } from './phones.queries.js';

/** What a reference names. */
interface Named {
  readonly focus: PreciseFocus;
  readonly alsoKnownAs: readonly IdentifierFocus[];
  /** Owners that the caller has already looked up; null: no owner. */
  readonly owners?: OwnerMap | undefined;
}

/** Result of a look-up: the owner of each key, null if there is none. */
export type OwnerMap = ReadonlyMap<IdentifierKey, Owner | null>;

/** Looks up the owners of all references; owners that callers passed are not looked up again. At most one statement. */
export async function findReferenceOwners(tx: Tx, references: readonly Named[]): Promise<Map<IdentifierKey, Owner>> {
  const known = new Map<IdentifierKey, Owner>();
  const open = references.flatMap(({ focus, alsoKnownAs, owners }) =>
    [focus, ...alsoKnownAs].filter(named => {
      const owner = owners?.get(focusKey(named));
      if (owner) known.set(focusKey(named), owner);
      return owner === undefined;
    }),
  );
  if (open.length === 0) return known;
  const identifiers = open.flatMap(focus => (focus.form === 'uuid' ? [] : [toIdentifier(focus)]));
  const ids = open.flatMap(focus => (focus.form === 'uuid' ? [focus.id] : []));
  const found = await findOwners(tx, identifiers, ids);
  for (const [key, owner] of known) if (!found.has(key)) found.set(key, owner);
  return found;
}

/** Drops the phone numbers that are stated for companies: their people have them, too. */
export function dropCompanyPhones<Reference extends Named>(
  references: readonly Reference[],
  owners: ReadonlyMap<IdentifierKey, Owner>,
): readonly Reference[] {
  return references.map(reference => {
    const { focus, alsoKnownAs } = reference;
    if (!alsoKnownAs.some(({ form }) => form === 'phone') || owners.get(focusKey(focus))?.type !== 'company')
      return reference;
    return { ...reference, alsoKnownAs: alsoKnownAs.filter(({ form }) => form !== 'phone') };
  });
}

/**
 * Assigns phone numbers that identify references to the entity that has them.
 * @returns the errors of references whose number several entities have.
 */
export async function assignPhoneOwners<Reference extends Named>(
  tx: Tx,
  references: readonly Reference[],
  owners: Map<IdentifierKey, Owner>,
): Promise<ReadonlyMap<Reference, HubError>> {
  const numbers = references.flatMap(({ focus }) => (focus.form === 'phone' ? [focus.value] : []));
  const refused = new Map<Reference, HubError>();
  if (numbers.length === 0) return refused;
  const found = await findPhoneOwners(tx, numbers);
  for (const reference of references) {
    const own = reference.focus.form === 'phone' ? (found.get(reference.focus.value) ?? []) : [];
    if (own.length > 1) refused.set(reference, ambiguousFocusError(own));
    else if (own[0]) owners.set(focusKey(reference.focus), own[0]);
  }
  return refused;
}

const INSERT_SHARED_PHONES = prepare(
  `INSERT INTO identifiers (workspace_id, kind, key, value, entity_id)
   SELECT $1, 'phone', key, value, entity_id FROM unnest($2::text[], $3::text[], $4::uuid[]) AS shared (key, value, entity_id)
   ON CONFLICT (workspace_id, kind, key) DO NOTHING`,
);

/** Stores the stated phone numbers that belong to others for these entities, too. Sent with COMMIT. */
export function writeSharedPhones(
  tx: Tx,
  references: readonly Named[],
  owners: ReadonlyMap<IdentifierKey, Owner>,
): void {
  const shared = new Map<string, Identifier & { readonly entityId: string }>();
  for (const { focus, alsoKnownAs } of references) {
    const entity = owners.get(focusKey(focus));
    for (const alias of alsoKnownAs) {
      const owner = alias.form === 'phone' ? owners.get(focusKey(alias)) : undefined;
      if (!entity || !owner || owner.canonicalId === entity.canonicalId) continue;
      const phone = toSharedPhone(alias, entity.id);
      shared.set(phone.key, { ...phone, entityId: entity.id });
    }
  }
  if (shared.size === 0) return;
  const rows = [...shared.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  tx.deferToCommit(INSERT_SHARED_PHONES, [
    tx.workspace,
    rows.map(({ key }) => key),
    rows.map(({ value }) => value),
    rows.map(({ entityId }) => entityId),
  ]);
}
