import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { NewPluginJob } from './plugin-job.js';
import { JobDispatcher } from './job.dispatcher.js';

/** Skips a job whose ID or dedupe key exists. */
const ON_DUPLICATE_IGNORE = 'ON CONFLICT DO NOTHING';
/** Brings a waiting job with the same dedupe key forward, or requests a rerun of a running one. */
const ON_DUPLICATE_WAKE = `
  ON CONFLICT (workspace_id, plugin, dedupe_key) WHERE dedupe_key IS NOT NULL DO UPDATE SET
    run_at = CASE WHEN existing.state = 'waiting' THEN least(existing.run_at, excluded.run_at) ELSE existing.run_at END,
    rerun_at = CASE WHEN existing.state = 'waiting' THEN existing.rerun_at ELSE least(existing.rerun_at, excluded.run_at) END`;

/**
 * Enqueues jobs for plugins at the commit of the transaction. Jobs whose ID or dedupe key exists are skipped or woken.
 */
export function enqueueJobs(tx: Tx, jobs: readonly NewPluginJob[]): void {
  insert(
    tx,
    jobs.filter(({ wake }) => !wake),
    ON_DUPLICATE_IGNORE,
  );
  for (const job of jobs.filter(({ wake }) => wake)) insert(tx, [job], ON_DUPLICATE_WAKE);
}

function insert(tx: Tx, jobs: readonly NewPluginJob[], onDuplicate: string): void {
  if (jobs.length === 0) return;
  tx.deferToCommit(
    `INSERT INTO plugin_jobs AS existing (workspace_id, id, plugin, kind, name, payload, connection_id, dedupe_key, run_at)
     SELECT $1, id, plugin, kind, name, payload, connection_id, dedupe_key, now() + make_interval(secs => delay)
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::uuid[], $8::text[], $9::float8[])
       AS job (id, plugin, kind, name, payload, connection_id, dedupe_key, delay)
     ${onDuplicate}`,
    [
      tx.workspace,
      jobs.map(({ id }) => id ?? newId()),
      jobs.map(({ plugin }) => plugin),
      jobs.map(({ kind }) => kind),
      jobs.map(({ name }) => name),
      jobs.map(({ payload }) => JSON.stringify(payload ?? null)),
      jobs.map(({ connectionId }) => connectionId),
      jobs.map(({ dedupeKey }) => dedupeKey ?? null),
      jobs.map(({ delayMs = 0 }) => delayMs / 1000),
    ],
  );
}

/** Enqueues jobs for plugins, each call in a transaction of its own. */
@Injectable()
export class JobEmitter {
  constructor(
    private readonly work: UnitOfWork,
    private readonly dispatcher: JobDispatcher,
  ) {}

  /** Enqueues jobs and wakes the dispatcher when the first one is due; resolves once they are committed. */
  async emit(workspaceId: string, jobs: readonly NewPluginJob[]): Promise<void> {
    await this.work.run(workspaceId, async tx => enqueueJobs(tx, jobs));
    this.dispatcher.wakeIn(Math.min(...jobs.map(({ delayMs = 0 }) => delayMs)));
  }
}

/** Returns the key by which jobs of a plugin with the same connection, name and key are deduplicated. */
export function computeDedupeKey(connectionId: string | null, name: string, key: string): string {
  return hash('sha256', JSON.stringify([connectionId, name, key]));
}
