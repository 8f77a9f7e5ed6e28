import pg from 'pg';
import { until } from './process.ts';

const DRAIN_LIMIT_MS = 300_000;

/** Reads a hub's tables in the role that the hub has for one workspace, so that it works for any owner of them. */
export async function inWorkspace<Row>(url: string, workspace: string, sql: string, values: unknown[]): Promise<Row[]> {
  return asRole(url, `SET LOCAL ROLE rapport_app; SET LOCAL app.workspace_id = '${workspace}'`, sql, values);
}

/**
 * Waits until every event that writing has left in the outbox is delivered: what the hub still does in the background
 * must not slow the other side of a comparison down.
 */
export async function drained(url: string): Promise<void> {
  const isEmpty = async () => {
    const rows = await asRole(url, 'SET LOCAL ROLE rapport_system', 'SELECT 1 FROM outbox LIMIT 1', []);
    return rows.length === 0;
  };
  await until('the outbox is empty', isEmpty, DRAIN_LIMIT_MS, 50);
}

/** Waits until every event is delivered and plugins have worked it up. */
export async function received(url: string): Promise<void> {
  const isDone = async () => {
    const sql = `SELECT FROM outbox UNION ALL SELECT FROM plugin_jobs WHERE kind = 'event' LIMIT 1`;
    return (await asRole(url, 'SET LOCAL ROLE rapport_system', sql, [])).length === 0;
  };
  await until('plugins have taken all events', isDone, DRAIN_LIMIT_MS, 20);
}

async function asRole<Row>(url: string, role: string, sql: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`BEGIN; ${role}`);
    const { rows } = await client.query(sql, values);
    await client.query('COMMIT');
    return rows as Row[];
  } finally {
    await client.end();
  }
}
