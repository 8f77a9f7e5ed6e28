import { Inject, Injectable } from '@nestjs/common';
import pg from 'pg';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import type { Database } from './database.js';
import { DATABASE } from './database.module.js';

const INTERVAL_MS = 2_000;
/** A table is analyzed when it has grown by so many rows and this share of what the planner knows of. */
const MIN_GROWTH_ROWS = 500;
const MIN_GROWTH_SHARE = 0.2;
const MAX_TABLES_PER_RUN = 20;
/** Key of the advisory lock that lets one process at a time do this. */
const LOCK_KEY = 0x72_61_70_73;

/** Tables of the hub that have grown, the one that grew most first. Churn does not count, only more rows. */
const SELECT_GROWN = `
  SELECT stat.schemaname AS schema, stat.relname AS name
  FROM pg_stat_user_tables stat JOIN pg_class ON pg_class.oid = stat.relid
  CROSS JOIN LATERAL (SELECT greatest(pg_class.reltuples, 0) AS rows) AS known
  WHERE stat.schemaname = current_schema() AND pg_has_role(pg_class.relowner, 'MEMBER')
    AND stat.n_live_tup - known.rows > ${MIN_GROWTH_ROWS} + ${MIN_GROWTH_SHARE} * known.rows
  ORDER BY stat.n_live_tup - known.rows DESC LIMIT 1`;

/**
 * Tells the planner of PostgreSQL about growing tables within seconds. Autovacuum looks once a minute: until then a list
 * after an import is planned as if the table were empty, and a search among ten thousand people takes seconds.
 */
@Injectable()
export class StatisticsRefresher extends PeriodicTask {
  constructor(@Inject(DATABASE) private readonly database: Pick<Database, 'pool'>) {
    super({ intervalMs: INTERVAL_MS, loggerName: 'database', failureMessage: 'Table statistics are not refreshed' });
  }

  /** Analyzes the tables that have grown; does nothing while another process does. @returns their names */
  async refresh(): Promise<string[]> {
    const client = await this.database.pool.connect();
    const analyzed: string[] = [];
    try {
      while (analyzed.length < MAX_TABLES_PER_RUN) {
        const table = await analyzeOne(client);
        if (table === undefined) break;
        analyzed.push(table);
      }
      client.release();
      return analyzed;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  protected run(): Promise<unknown> {
    return this.refresh();
  }
}

/** Analyzes the table that grew most in a transaction of its own, so that its lock is short. */
async function analyzeOne(client: pg.PoolClient): Promise<string | undefined> {
  await client.query('BEGIN');
  const { rows: locks } = await client.query<{ ok: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS ok', [LOCK_KEY]);
  const grown = locks[0]!.ok ? (await client.query<{ schema: string; name: string }>(SELECT_GROWN)).rows[0] : undefined;
  if (grown) await client.query(`ANALYZE ${pg.escapeIdentifier(grown.schema)}.${pg.escapeIdentifier(grown.name)}`);
  await client.query('COMMIT');
  return grown?.name;
}
