import type { Tx } from '#kernel/db/transaction.js';
import { listIndexedWords, nameKey } from '#domain/identity/names.js';
import { prepare, ROW_OVERHEAD_BYTES, splitIntoStatements } from '#kernel/db/prepared-query.js';
import { type EntityType, type Identifier, type PreciseFocus, toIdentifier } from '#domain/identity/focus.js';
import type { Activity } from '#domain/observation/interaction-events.js';
import { toIsoOrNull } from '#domain/time/instant.js';
import { toLockKey } from './entity-locks.js';

/**
 * Returns the SQL condition that an entity was not removed: neither erased, nor retracted with everything that was known
 * about it. A removed entity has its own id as canonical id, which excludes it from every list and look-up, and makes a
 * process that has cached it look it up again.
 * @param entity name or alias of the row of `entities`.
 */
export const notRemovedSql = (entity: string) => `${entity}.canonical_id IS DISTINCT FROM ${entity}.id`;

/** Marks these entities as erased: without a name, a cluster and identifiers. They must be locked. */
export async function markErased(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE entities SET canonical_id = id, name = NULL, name_key = NULL, retracted_at = NULL WHERE workspace_id = $1 AND id = ANY ($2)`,
    [tx.workspace, ids],
  );
  await tx.query('DELETE FROM name_words WHERE workspace_id = $1 AND entity_id = ANY ($2)', [tx.workspace, ids]);
}

/** Returns whether the person with this id was erased. */
export async function isErased(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(
    'SELECT 1 FROM entities WHERE workspace_id = $1 AND id = $2 AND canonical_id = id AND retracted_at IS NULL',
    [tx.workspace, id],
  );
  return rows.length > 0;
}

/** An entity and its name; null if the name has ended. */
export interface NamedId {
  readonly id: string;
  readonly name: string | null;
}

const DELETE_WORDS = prepare(
  `DELETE FROM name_words w
   WHERE w.workspace_id = $1 AND w.entity_id = ANY ($2::uuid[]) AND NOT EXISTS (
     SELECT FROM unnest($2::uuid[], $3::text[]) AS named (entity_id, words)
     WHERE named.entity_id = w.entity_id AND w.word = ANY (string_to_array(named.words, ' ')))`,
);

const INSERT_WORDS = prepare(
  `INSERT INTO name_words (workspace_id, word, entity_id)
   SELECT $1, word, entity_id
   FROM unnest($2::uuid[], $3::text[]) AS named (entity_id, words), unnest(string_to_array(words, ' ')) AS word
   ON CONFLICT (workspace_id, word, entity_id) DO NOTHING`,
);

/** Replaces the words under which entities are found by name. Sent with COMMIT. */
export function writeNameWords(tx: Tx, names: readonly NamedId[]): void {
  if (names.length === 0) return;
  const words = names.map(({ name }) => (name === null ? '' : listIndexedWords(name).join(' ')));
  const values = [tx.workspace, names.map(({ id }) => id), words];
  tx.deferToCommit(DELETE_WORDS, values);
  if (words.some(each => each !== '')) tx.deferToCommit(INSERT_WORDS, values);
}

/** An identifier to insert if it does not exist yet, and its entity. */
export interface NewIdentifier extends Identifier {
  readonly entityId: string;
  /** Type of the entity to create with it; null if the entity already exists. */
  readonly createsType: EntityType | null;
}

/** Text key of an entity, either its id or one of its identifiers: the kind, a space and the value. */
export type IdentifierKey = string;

/** Returns the key of an identifier. */
export const identifierKey = ({ kind, key }: Pick<Identifier, 'kind' | 'key'>): IdentifierKey => `${kind} ${key}`;

/** Returns the key of an entity id. */
export const entityIdKey = (id: string): IdentifierKey => `uuid ${id}`;

/** The entity that an identifier belongs to. */
export interface Owner {
  readonly id: string;
  /** Id of its cluster, under which claims are stored. Equals `id` unless the entity was merged into another one. */
  readonly canonicalId: string;
  /** Type of the entity, if it was looked up. */
  readonly type?: EntityType;
}

interface OwnerRow {
  readonly kind: string;
  readonly key: string;
  readonly entity_id: string;
  readonly canonical_id: string | null;
  readonly type?: EntityType;
}

const FIND_OWNERS = prepare(
  `SELECT kind, key, identifier.entity_id, owner.canonical_id, owner.type
   FROM unnest($2::text[], $3::text[]) AS requested (kind, key)
   JOIN LATERAL (
     SELECT entity_id FROM identifiers i
     WHERE i.workspace_id = $1 AND i.kind = requested.kind AND i.key = requested.key OFFSET 0
   ) identifier ON true
   JOIN LATERAL (
     SELECT canonical_id, type FROM entities e
     WHERE e.workspace_id = $1 AND e.id = identifier.entity_id AND ${notRemovedSql('e')} OFFSET 0
   ) owner ON true
   UNION ALL
   SELECT 'uuid', id::text, id, canonical_id, type FROM entities e
   WHERE workspace_id = $1 AND id = ANY ($4::uuid[]) AND ${notRemovedSql('e')}`,
);

/**
 * Returns the owners of identifiers and entity ids, by key. Those without an owner are missing, and so are erased
 * people. One statement for as many as it can carry.
 */
export async function findOwners(
  tx: Tx,
  identifiers: readonly Identifier[],
  ids: readonly string[] = [],
): Promise<Map<IdentifierKey, Owner>> {
  const owners = new Map<IdentifierKey, Owner>();
  const add = async (part: readonly Identifier[], partIds: readonly string[]) => {
    const values = [tx.workspace, part.map(i => i.kind), part.map(i => i.key), partIds];
    for (const row of await tx.query<OwnerRow>(FIND_OWNERS, values)) owners.set(`${row.kind} ${row.key}`, toOwner(row));
  };
  const [first = [], ...others] = splitIntoStatements(
    identifiers,
    ({ kind, key }) => kind.length + key.length + ROW_OVERHEAD_BYTES,
  );
  await add(first, ids);
  for (const part of others) await add(part, []);
  return owners;
}

function toOwner({ entity_id: id, canonical_id, type }: OwnerRow): Owner {
  return { id, canonicalId: canonical_id ?? id, ...(type && { type }) };
}

/** The owner of an identifier, and whether this statement inserted it. */
export interface ClaimedIdentifier {
  readonly key: IdentifierKey;
  readonly owner: Owner;
  readonly isNew: boolean;
}

const createSql = (lock: 'pg_advisory_xact_lock' | 'pg_advisory_xact_lock_shared') =>
  prepare(
    `SELECT kind, key, written.entity_id, owner.canonical_id, true AS is_new
     FROM written
     LEFT JOIN LATERAL (
       SELECT canonical_id FROM entities e WHERE e.workspace_id = $1 AND e.id = written.entity_id OFFSET 0
     ) owner ON true
     UNION ALL
     SELECT kind, key, existing.entity_id, owner.canonical_id, false
     FROM requested
     JOIN LATERAL (
       SELECT entity_id FROM identifiers i
       WHERE i.workspace_id = $1 AND i.kind = requested.kind AND i.key = requested.key OFFSET 0
     ) existing ON true
     JOIN LATERAL (
       SELECT canonical_id FROM entities e WHERE e.workspace_id = $1 AND e.id = existing.entity_id OFFSET 0
     ) owner ON true`,
    `locked AS MATERIALIZED (
       SELECT ${lock}($7::bigint)
     ), requested AS (
       SELECT kind, key, value, entity_id, new_type, new_type IS NULL AND entity_id = ANY ($8::uuid[]) AS is_further
       FROM unnest($2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[])
         AS requested (kind, key, value, entity_id, new_type)
     ), inserted AS (
       INSERT INTO identifiers (workspace_id, kind, key, value, entity_id)
       SELECT $1, kind, key, value, entity_id FROM locked, requested WHERE NOT is_further
       ON CONFLICT (workspace_id, kind, key) DO NOTHING
       RETURNING kind, key, entity_id
     ), created_entities AS (
       INSERT INTO entities (workspace_id, id, type)
       SELECT $1, entity_id, new_type FROM requested JOIN inserted USING (kind, key, entity_id) WHERE new_type IS NOT NULL
     ), inserted_further AS (
       INSERT INTO identifiers (workspace_id, kind, key, value, entity_id)
       SELECT $1, requested.kind, requested.key, value, entity_id FROM requested JOIN inserted USING (entity_id) WHERE is_further
       ON CONFLICT (workspace_id, kind, key) DO NOTHING
       RETURNING kind, key, entity_id
     ), written AS (
       SELECT * FROM inserted UNION ALL SELECT * FROM inserted_further
     )`,
  );
const CREATE_EXCLUSIVELY = createSql('pg_advisory_xact_lock');
const CREATE_CONCURRENTLY = createSql('pg_advisory_xact_lock_shared');

/**
 * Inserts identifiers, and the entities that they create, in one statement. If two transactions insert the same
 * identifier, the second waits and the first to commit gets it. Keys are inserted in one order, so they cannot
 * deadlock. Further identifiers of an entity that is created here are inserted only if the entity is.
 * @param exclusive blocks other transactions of the workspace from inserting identifiers until this one ends. Required
 *   if the transaction inserts in two steps: two of them could wait for each other's keys.
 * @returns the owner of each, except identifiers that another transaction inserted at the same moment.
 */
export async function createIdentifiers(
  tx: Tx,
  identifiers: readonly NewIdentifier[],
  exclusive: boolean,
): Promise<ClaimedIdentifier[]> {
  const ordered = identifiers.toSorted((a, b) => (identifierKey(a) < identifierKey(b) ? -1 : 1));
  const rows = await tx.query<OwnerRow & { is_new: boolean }>(exclusive ? CREATE_EXCLUSIVELY : CREATE_CONCURRENTLY, [
    tx.workspace,
    ordered.map(w => w.kind),
    ordered.map(w => w.key),
    ordered.map(w => w.value),
    ordered.map(w => w.entityId),
    ordered.map(w => w.createsType),
    String(toLockKey(tx.workspace)),
    ordered.flatMap(w => (w.createsType === null ? [] : w.entityId)),
  ]);
  return rows.map(row => ({ key: `${row.kind} ${row.key}`, owner: toOwner(row), isNew: row.is_new }));
}

/** Longer names are not indexed: no focus is as long. */
const MAX_NAME_LENGTH = 320;
const MAX_KEY_BYTES = 2_000;

/** Returns the key that a name is looked up by; null for a name that is longer than any focus. */
export function nameLookupKey(name: string | null | undefined): string | null {
  if (name == null || name.length > MAX_NAME_LENGTH) return null;
  const key = nameKey(name);
  return Buffer.byteLength(key) <= MAX_KEY_BYTES ? key : null;
}

/** Changes that a batch makes to an entity row. */
export interface EntityUpdate extends Activity {
  readonly id: string;
  /** Undefined: unchanged. */
  readonly name: string | null | undefined;
  /** Company of a person; stored only if none is known yet. */
  readonly company: string | undefined;
}

const UPDATE_ENTITIES = prepare(
  `UPDATE entities SET
       name = CASE WHEN change.named THEN change.name ELSE entities.name END,
       name_key = CASE WHEN change.named THEN change.key ELSE entities.name_key END,
       company_id = CASE WHEN type = 'person' THEN coalesce(company_id, change.company) END,
       first_activity_at = least(first_activity_at, change.first),
       last_activity_at = greatest(last_activity_at, change.last),
       last_inbound_activity_at = greatest(last_inbound_activity_at, change.inbound)
     FROM unnest($2::uuid[], $3::bool[], $4::text[], $5::text[], $6::uuid[],
                 $7::timestamptz[], $8::timestamptz[], $9::timestamptz[])
       AS change (id, named, name, key, company, first, last, inbound)
   WHERE workspace_id = $1 AND entities.id = ANY ($2) AND entities.id = change.id`,
);

/** Updates names, their words, lookup keys, companies and activity. Sent with COMMIT. */
export function updateEntities(tx: Tx, changes: readonly EntityUpdate[]): void {
  if (changes.length === 0) return;
  tx.deferToCommit(UPDATE_ENTITIES, [
    tx.workspace,
    changes.map(c => c.id),
    changes.map(c => c.name !== undefined),
    changes.map(c => c.name ?? null),
    changes.map(c => nameLookupKey(c.name)),
    changes.map(c => c.company ?? null),
    changes.map(c => toIsoOrNull(c.first)),
    changes.map(c => toIsoOrNull(c.last)),
    changes.map(c => toIsoOrNull(c.lastInbound)),
  ]);
  writeNameWords(
    tx,
    changes.flatMap(({ id, name }) => (name === undefined ? [] : [{ id, name }])),
  );
}

/** Returns the key of a focus. */
export function focusKey(focus: PreciseFocus): IdentifierKey {
  return focus.form === 'uuid' ? entityIdKey(focus.id) : identifierKey(toIdentifier(focus));
}
