import pg from 'pg';
import { DISPATCH_LOCK } from '#plugin-host/jobs/job.store.js';

/**
 * Holds what lets a process hand out jobs of plugins, so that they stay where they were committed.
 * @param url the database of the hubs
 * @returns lets them be handed out again
 */
export async function pauseJobs(url: string): Promise<() => Promise<void>> {
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock($1)', [DISPATCH_LOCK]);
  return () => holder.end();
}
