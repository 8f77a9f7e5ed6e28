import { newId } from '#kernel/ids.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

/** A lead list with how many leads are in it. */
export interface LeadListRow {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly columns: readonly string[];
  readonly external_id: string | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly lead_count: number;
}

/** Lists, the newest first. @param after id of the last one of the page before. */
export function readLists(tx: Tx, limit: number, after: string | undefined): Promise<LeadListRow[]> {
  return tx.query<LeadListRow>(
    `SELECT list.*, (SELECT count(*) FROM leads l WHERE l.workspace_id = $1 AND l.list_id = list.id) AS lead_count
     FROM lead_lists list
     WHERE list.workspace_id = $1 AND ($3::uuid IS NULL OR list.id < $3) ORDER BY list.id DESC LIMIT $2`,
    [tx.workspace, limit, after ?? null],
  );
}

/** How a list is found. */
export type ListKey =
  | { readonly id: string }
  | { readonly name: string; readonly source: string; readonly externalId?: string };

/**
 * The list of a key, locked until the transaction ends, so that writers to one list wait for each other. A name finds
 * the oldest list that bears it and has the same external id (or none); it is made when there is none.
 * @returns undefined for an id that nobody has.
 */
export async function lockList(tx: Tx, key: ListKey): Promise<{ id: string; created: boolean } | undefined> {
  if ('id' in key) {
    const [row] = await tx.query<{ id: string }>(
      'SELECT id FROM lead_lists WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
      [tx.workspace, key.id],
    );
    return row && { id: row.id, created: false };
  }
  const { name, externalId = null } = key;
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${tx.workspace} list ${name}`]);
  const [known] = await tx.query<{ id: string }>(
    `SELECT id FROM lead_lists WHERE workspace_id = $1 AND name = $2 AND external_id IS NOT DISTINCT FROM $3
     ORDER BY id LIMIT 1 FOR UPDATE`,
    [tx.workspace, name, externalId],
  );
  return known ? { id: known.id, created: false } : { id: await createList(tx, key), created: true };
}

/** Makes a list. @returns its id. */
export async function createList(tx: Tx, key: Exclude<ListKey, { id: string }>): Promise<string> {
  const id = newId();
  await tx.query('INSERT INTO lead_lists (workspace_id, id, name, source, external_id) VALUES ($1, $2, $3, $4, $5)', [
    tx.workspace,
    id,
    key.name,
    key.source,
    key.externalId ?? null,
  ]);
  return id;
}

/** Adds the names of columns that a list has not seen yet. Sent with COMMIT. */
export function addColumns(tx: Tx, listId: string, columns: readonly string[]): void {
  tx.queryWithCommit(
    `UPDATE lead_lists SET updated_at = now(),
       columns = columns || (SELECT coalesce(jsonb_agg(name), '[]') FROM unnest($3::text[]) AS name
                             WHERE NOT columns ? name)
     WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, listId, columns],
  );
}

/** One list. */
export async function readList(tx: Tx, id: string): Promise<LeadListRow | undefined> {
  const [row] = await tx.query<LeadListRow>(
    `SELECT list.*, (SELECT count(*) FROM leads l WHERE l.workspace_id = $1 AND l.list_id = list.id) AS lead_count
     FROM lead_lists list WHERE list.workspace_id = $1 AND list.id = $2`,
    [tx.workspace, id],
  );
  return row;
}

/** Takes a list away, and the leads in it; the people stay. @returns whether it was there. */
export async function deleteList(tx: Tx, id: string): Promise<boolean> {
  const gone = await tx.query('DELETE FROM lead_lists WHERE workspace_id = $1 AND id = $2 RETURNING id', [
    tx.workspace,
    id,
  ]);
  return gone.length > 0;
}
