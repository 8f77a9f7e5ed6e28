import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';

/** A stored lead; `person_id` is the canonical id of its person. */
export interface LeadRecord {
  readonly id: string;
  readonly list_id: string;
  readonly list_name: string;
  readonly entity_id: string;
  readonly person_id: string;
  readonly status: string;
  readonly stage: string | null;
  readonly step: string | null;
  readonly reply_outcome: string | null;
  readonly replied_at: Instant | null;
  readonly sent_at: Instant | null;
  readonly send_variant: string | null;
  readonly is_repeat_contact: boolean;
  readonly features: JsonValue;
  readonly fields: JsonValue;
  readonly original: JsonValue;
  readonly priority: number | null;
  readonly priority_confidence: number | null;
  readonly play: string | null;
  readonly layers: JsonValue;
  readonly icp_score: number | null;
  readonly intent_score: number | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

/** Returns these leads, in no order. */
export function readLeadRecords(tx: Tx, ids: readonly string[]): Promise<LeadRecord[]> {
  return tx.query<LeadRecord>(
    `SELECT l.*, list.name AS list_name, coalesce(e.canonical_id, e.id) AS person_id
     FROM leads l
     JOIN lead_lists list ON list.workspace_id = $1 AND list.id = l.list_id
     JOIN entities e ON e.workspace_id = $1 AND e.id = l.entity_id
     WHERE l.workspace_id = $1 AND l.id = ANY ($2::uuid[])`,
    [tx.workspace, ids],
  );
}

/** Locks a lead until the transaction ends. @returns its entity id; undefined if the lead does not exist. */
export async function lockLead(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ entity_id: string }>(
    'SELECT entity_id FROM leads WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [tx.workspace, id],
  );
  return row?.entity_id;
}

/** A lead to insert. */
export interface NewLead {
  readonly id: string;
  readonly entity_id: string;
  readonly status: string;
  readonly stage: string | null;
  readonly step: string | null;
  readonly send_variant: string | null;
  readonly is_repeat_contact: boolean;
  readonly features: object;
  readonly fields: object;
  readonly original: object;
  /** Source that adds the lead. */
  readonly source: string;
}

/** A lead to insert, with the score of its entity if it was scored. */
export interface ScoredLead extends NewLead {
  readonly priority?: number | null;
  readonly priority_confidence?: number | null;
  readonly play?: string;
  readonly layers?: object;
  readonly icp_score?: number | null;
  readonly intent_score?: number | null;
}

const INSERT_LEADS = prepare(
  `INSERT INTO leads (workspace_id, list_id, id, entity_id, status, stage, step, send_variant, is_repeat_contact,
                      features, fields, original, source, priority, priority_confidence, play, layers, icp_score,
                      intent_score, scored_at)
   SELECT $1, $2::uuid, row.*, CASE WHEN row.layers IS NOT NULL THEN $4::timestamptz END
   FROM jsonb_to_recordset($3::jsonb) AS row
     (id uuid, entity_id uuid, status text, stage text, step text, send_variant text, is_repeat_contact boolean,
      features jsonb, fields jsonb, original jsonb, source text, priority int, priority_confidence real, play text, layers jsonb,
      icp_score int, intent_score int)`,
);

/** Adds leads to a list. One statement, sent with COMMIT. @param at time of scoring, ISO 8601. */
export function insertLeads(tx: Tx, listId: string, at: string, leads: readonly ScoredLead[]): void {
  if (leads.length > 0) tx.deferToCommit(INSERT_LEADS, [tx.workspace, listId, JSON.stringify(leads), at]);
}

/**
 * Updates columns of a lead; `features` and `fields` are merged into the stored objects. The names of `columns` are put
 * into the statement, so they must not come from a caller.
 */
export async function updateLead(tx: Tx, id: string, columns: ReadonlyMap<string, unknown>): Promise<void> {
  const merged = new Set(['features', 'fields']);
  const names = [...columns.keys()];
  const sets = names.map((name, i) =>
    merged.has(name) ? `${name} = ${name} || $${i + 3}::jsonb` : `${name} = $${i + 3}`,
  );
  await tx.query(`UPDATE leads SET ${[...sets, 'updated_at = now()'].join(', ')} WHERE workspace_id = $1 AND id = $2`, [
    tx.workspace,
    id,
    ...columns.values(),
  ]);
}
