import { newId } from '#kernel/ids.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { NewPluginJob } from './plugin-job.js';

/** Keeps jobs for plugins with this transaction, so that they exist if and only if it commits. Known ids are left. */
export function insertJobs(tx: Tx, jobs: readonly NewPluginJob[]): void {
  if (jobs.length === 0) return;
  tx.queryWithCommit(
    `INSERT INTO plugin_jobs (workspace_id, id, plugin, kind, name, payload, connection_id, singleton, run_at)
     SELECT $1, id, plugin, kind, name, payload, connection_id, singleton, now() + make_interval(secs => delay)
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::uuid[], $8::text[], $9::float8[])
       AS job (id, plugin, kind, name, payload, connection_id, singleton, delay)
     ON CONFLICT DO NOTHING`,
    [
      tx.workspace,
      jobs.map(({ id }) => id ?? newId()),
      jobs.map(({ plugin }) => plugin),
      jobs.map(({ kind }) => kind),
      jobs.map(({ name }) => name),
      jobs.map(({ payload }) => JSON.stringify(payload ?? null)),
      jobs.map(({ connectionId }) => connectionId),
      jobs.map(({ singleton }) => singleton ?? null),
      jobs.map(({ delayMs = 0 }) => delayMs / 1000),
    ],
  );
}
