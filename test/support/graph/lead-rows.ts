import { randomUUID } from 'node:crypto';
import type { Client, TestHub } from '../hub.js';

/** Makes a list and puts people into it, straight into the tables. @returns its id */
export async function listWith(hub: TestHub, client: Client, entityIds: readonly string[], more: Columns = {}) {
  const { status = 'pending', days = 0, play = null, priority = null } = more;
  const id = randomUUID();
  const own = [client.workspaceId, id];
  const list = `INSERT INTO lead_lists (workspace_id, id, name, source) VALUES ($1, $2, 'Spring', 'manual')`;
  await hub.database.pool.query(list, own);
  const leads = `INSERT INTO leads (workspace_id, id, list_id, entity_id, status, play, priority, scored_at, updated_at)
    SELECT $1, gen_random_uuid(), $2, id, $4, $6, $7, now(), now() - make_interval(days => $5)
    FROM unnest($3::uuid[]) AS id`;
  await hub.database.pool.query(leads, [...own, entityIds, status, days, play, priority]);
  return id;
}

interface Columns {
  readonly status?: string;
  /** How long ago it was touched. */
  readonly days?: number;
  readonly play?: string | null;
  readonly priority?: number | null;
}
