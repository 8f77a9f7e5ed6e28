import type { EntityType, Identifier } from '#domain/identity/focus.js';
import { newId } from '#kernel/ids.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { notRemovedSql, createIdentifiers, type Owner } from './identifiers.queries.js';
import { clusterNameSql, type NamedOwner } from './names.queries.js';

/** Returns the error for a write to a phone number that several people have. */
export function ambiguousFocusError(owners: readonly Owner[]): HubError {
  return new HubError('ambiguous_focus', { extra: { entity_ids: owners.map(({ canonicalId }) => canonicalId) } });
}

/**
 * Several people can have one phone number. The first one owns the identifier whose key is the number; each further one
 * owns an identifier whose key is the number, a space and the id of the entity.
 */
export function toSharedPhone({ value }: Pick<Identifier, 'value'>, entityId: string): Identifier {
  return { kind: 'phone', value, key: `${value} ${entityId}` };
}

interface PhoneOwnerRow {
  readonly number: string;
  readonly id: string;
  readonly canonical_id: string | null;
  readonly type: EntityType;
  readonly name: string | null;
}

/**
 * Returns the people who have these numbers (E.164), one per cluster, by number. A number never identifies a company:
 * its people have it, too. One statement.
 */
export async function findPhoneOwners(tx: Tx, numbers: readonly string[]): Promise<ReadonlyMap<string, NamedOwner[]>> {
  const rows = await tx.query<PhoneOwnerRow>(
    `SELECT requested.number, owner.id, owner.canonical_id, owner.type, owner.name
     FROM (SELECT DISTINCT unnest($2::text[]) AS number) AS requested
     JOIN LATERAL (
       SELECT entity_id, key FROM identifiers i
       WHERE i.workspace_id = $1 AND i.kind = 'phone' AND i.key >= requested.number COLLATE "C"
         AND i.key < (requested.number || '!') COLLATE "C" OFFSET 0
     ) identifier ON true
     JOIN LATERAL (
       SELECT e.id, e.canonical_id, e.type, ${clusterNameSql} AS name FROM entities e
       WHERE e.workspace_id = $1 AND e.id = identifier.entity_id AND e.type = 'person' AND ${notRemovedSql('e')} OFFSET 0
     ) owner ON true
     ORDER BY requested.number, identifier.key`,
    [tx.workspace, numbers],
  );
  const owners = new Map<string, Map<string, NamedOwner>>();
  for (const { number, id, canonical_id, type, name } of rows) {
    const own = owners.get(number) ?? new Map<string, NamedOwner>();
    const canonicalId = canonical_id ?? id;
    if (!own.has(canonicalId)) own.set(canonicalId, { id, canonicalId, type, name });
    owners.set(number, own);
  }
  return new Map([...owners].map(([number, own]) => [number, [...own.values()]]));
}

/**
 * Creates a person who has a phone number. One statement, two if another transaction stores the number at the moment.
 * @param isShared whether others have the number.
 */
export async function createPersonWithPhone(tx: Tx, phone: Identifier, isShared: boolean): Promise<Owner> {
  const id = newId();
  const identifier = isShared ? toSharedPhone(phone, id) : phone;
  const [claimed] = await createIdentifiers(tx, [{ ...identifier, entityId: id, createsType: 'person' }], true);
  if (!claimed?.isNew) return createPersonWithPhone(tx, phone, true);
  tx.countUsage('people', 1);
  return { id, canonicalId: id };
}
