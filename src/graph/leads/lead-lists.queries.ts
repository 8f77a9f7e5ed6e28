import { newId } from '#kernel/ids.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersOfSql } from '../identity/links.queries.js';
import { type StoredLeadList, LeadListEntity } from './lead-list.entity.js';

/** Returns lists with their number of leads, newest first. @param after id of the last list of the previous page. */
export async function readLists(tx: Tx, limit: number, after: string | undefined): Promise<StoredLeadList[]> {
  const em = await tx.entityManager();
  const where = { workspaceId: tx.workspace, ...(after !== undefined && { id: { $lt: after } }) };
  return em.find(LeadListEntity, where, { populate: ['leadCount'], orderBy: { id: 'desc' }, limit });
}

/** Identifies a list, by id or by name and external id. */
export type ListKey =
  | { readonly id: string }
  | { readonly name: string; readonly source: string; readonly externalId?: string };

/** A list that rows are added to. */
export interface ListHandle {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly external_id: string | null;
  /** Whether the list does not exist yet; `saveList` creates it. */
  readonly isNew: boolean;
  /** Lead ids of the requested people who are in the list, by canonical id of the person. */
  readonly members: ReadonlyMap<string, string>;
}

/**
 * Locks a list against other writers until the transaction ends; later statements see their writes. A list is locked by
 * its name, which never changes, whichever key is given.
 */
export async function lockList(tx: Tx, key: ListKey): Promise<void> {
  await tx.query('id' in key ? LOCK_BY_ID : LOCK_BY_NAME, [tx.workspace, 'id' in key ? key.id : key.name]);
}

const lockSql = (name: string) =>
  prepare(`SELECT count(pg_advisory_xact_lock(hashtextextended($1::text || ' list ' || ${name}, 0))) AS locked`);
const LOCK_BY_NAME = lockSql('$2::text');
const LOCK_BY_ID = lockSql('(SELECT name FROM lead_lists WHERE workspace_id = $1::uuid AND id = $2::uuid)');

const findSql = (isIt: string) =>
  prepare(
    `WITH list AS MATERIALIZED (
       SELECT id, name, source, external_id FROM lead_lists WHERE workspace_id = $1 AND ${isIt}
       ORDER BY id LIMIT 1 FOR UPDATE
     )
     SELECT list.*, (
       SELECT json_object_agg(requested.id, lead.id) FROM unnest($2::uuid[]) AS requested (id)
       JOIN LATERAL (${membersOfSql('requested.id')}) AS member ON true
       JOIN LATERAL (
         SELECT l.id FROM leads l
         WHERE l.workspace_id = $1 AND l.entity_id = member.id AND l.list_id = list.id OFFSET 0
       ) AS lead ON true
     ) AS members FROM list`,
  );
const FIND_BY_ID = findSql('id = $3::uuid');
const FIND_BY_NAME = findSql('name = $3::text AND external_id IS NOT DISTINCT FROM $4::text');

/**
 * Returns the list of a key, with those of `people` (canonical ids) who are in it. A name matches the oldest list with
 * this name and the same external id (or none), else a list that is to be created. Requires the lock of {@link
 * lockList}.
 * @returns undefined for an unknown id.
 */
export async function findOrCreateList(
  tx: Tx,
  key: ListKey,
  people: readonly string[],
): Promise<ListHandle | undefined> {
  const [row] = await tx.query<Omit<ListHandle, 'isNew' | 'members'> & { members: Record<string, string> | null }>(
    'id' in key ? FIND_BY_ID : FIND_BY_NAME,
    [tx.workspace, people, ...('id' in key ? [key.id] : [key.name, key.externalId ?? null])],
  );
  if (row) return { ...row, isNew: false, members: new Map(Object.entries(row.members ?? {})) };
  if ('id' in key) return undefined;
  const { name, source, externalId: external_id = null } = key;
  return { id: newId(), name, source, external_id, isNew: true, members: new Map() };
}

/** Creates an empty list. */
export async function createList(tx: Tx, key: Exclude<ListKey, { id: string }>): Promise<StoredLeadList> {
  const em = await tx.entityManager();
  const { name, source, externalId = null } = key;
  const list = em.create(LeadListEntity, { workspaceId: tx.workspace, id: newId(), name, source, externalId });
  await em.persist(list).flush();
  recordAct(tx, { action: 'lead_list.create', objectId: list.id });
  list.leadCount = 0;
  return list;
}

const UPSERT_LIST = prepare(
  `INSERT INTO lead_lists (workspace_id, id, name, source, external_id, columns)
   VALUES ($1, $2::uuid, $3, $4, $5, to_jsonb($6::text[]))
   ON CONFLICT (workspace_id, id) DO UPDATE SET updated_at = now(),
     columns = lead_lists.columns || (SELECT coalesce(jsonb_agg(name), '[]') FROM unnest($6::text[]) AS name
                                      WHERE NOT lead_lists.columns ? name)`,
);

/** Creates a new list, and adds names of columns that the list does not have yet. Sent with COMMIT. */
export function saveList(tx: Tx, list: ListHandle, columns: readonly string[]): void {
  if (list.isNew) recordAct(tx, { action: 'lead_list.create', objectId: list.id });
  tx.deferToCommit(UPSERT_LIST, [tx.workspace, list.id, list.name, list.source, list.external_id, columns]);
}

/** Deletes a list and its leads; the people are kept. @returns whether it existed. */
export async function deleteList(tx: Tx, id: string): Promise<boolean> {
  const em = await tx.entityManager();
  const deletedCount = await em.nativeDelete(LeadListEntity, { workspaceId: tx.workspace, id });
  if (deletedCount > 0) recordAct(tx, { action: 'lead_list.delete', objectId: id });
  return deletedCount > 0;
}
