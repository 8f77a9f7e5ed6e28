import type { Actor, ActorKind } from '#domain/actor/actor.js';
import type { AttentionMark } from '#domain/attention/attention-mark.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

/** A stored mark. Times are microseconds. */
export interface MarkRow {
  readonly item_id: string;
  readonly state: AttentionMark['state'];
  readonly until: Instant | null;
  readonly note: string | null;
  readonly actor_kind: ActorKind;
  readonly actor_id: string;
  readonly at: Instant;
}

const COLUMNS = `item_id, state, (extract(epoch FROM snoozed_until) * 1000000)::bigint AS until, note, actor_kind, actor_id,
  (extract(epoch FROM marked_at) * 1000000)::bigint AS at`;

/** SQL for the marks of the entities of `entity` and of their companies, as a list of {@link MarkRow}. `$1` is the workspace. */
export const MARKS_SQL = `
  SELECT json_agg(mark) FROM (
    SELECT id FROM entity UNION SELECT company_id FROM entity WHERE company_id IS NOT NULL
  ) marked JOIN LATERAL (
    SELECT ${COLUMNS} FROM attention_marks m WHERE m.workspace_id = $1 AND m.entity_id = marked.id OFFSET 0
  ) mark ON true`;

/** Returns marks by the ID of the item. */
export function toMarkMap(rows: readonly MarkRow[] | null): ReadonlyMap<string, AttentionMark> {
  return new Map((rows ?? []).map(row => [row.item_id, toMark(row)]));
}

/** A mark to store. The time is that of the transaction. */
export interface NewMark extends Pick<AttentionMark, 'itemId' | 'state' | 'until' | 'note'> {
  readonly entityId: string;
  readonly markedBy: Actor;
}

/** Stores a mark in place of an earlier one of the same item; undefined if the entity does not exist. */
export async function writeMark(tx: Tx, mark: NewMark): Promise<AttentionMark | undefined> {
  const { itemId, entityId, state, until, note, markedBy } = mark;
  const [row] = await tx.query<MarkRow>(
    `INSERT INTO attention_marks (workspace_id, item_id, entity_id, state, snoozed_until, note, actor_kind, actor_id, marked_at)
     SELECT $1, $2, id, $4, $5::timestamptz, $6, $7, $8, now() FROM entities WHERE workspace_id = $1 AND id = $3
     ON CONFLICT (workspace_id, item_id) DO UPDATE SET state = excluded.state, snoozed_until = excluded.snoozed_until,
       note = excluded.note, actor_kind = excluded.actor_kind, actor_id = excluded.actor_id, marked_at = excluded.marked_at
     RETURNING ${COLUMNS}`,
    [tx.workspace, itemId, entityId, state, until === null ? null : toIso(until), note, markedBy.kind, markedBy.id],
  );
  return row && toMark(row);
}

/** Removes the mark of an item, if it has this state. Returns whether there was one. */
export async function deleteMark(tx: Tx, itemId: string, state: AttentionMark['state']): Promise<boolean> {
  const rows = await tx.query(
    'DELETE FROM attention_marks WHERE workspace_id = $1 AND item_id = $2 AND state = $3 RETURNING 1',
    [tx.workspace, itemId, state],
  );
  return rows.length > 0;
}

function toMark({ item_id: itemId, state, until, note, actor_kind, actor_id, at: markedAt }: MarkRow): AttentionMark {
  return { itemId, state, until, note, markedBy: { kind: actor_kind, id: actor_id }, markedAt };
}
