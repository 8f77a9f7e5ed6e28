import type { Hub } from './provider.js';

/** Longer than one run of the job. A lost lease can be taken over after this time. */
const LEASE_MS = 5 * 60_000;
const LEASE_KEY = 'lease';

type Lease = { readonly turn: number; readonly until: string };

/** Starts the backfill of waiting contacts. Does nothing while one is running. */
export function startBackfill(hub: Hub): Promise<void> {
  return hub.jobs.emit('backfill', { turn: 0 }, { key: 'turn:0' });
}

/** Checks whether a run holds the lease or may take it, so that runs of a connection never overlap. */
export async function isLeaseDue(hub: Hub, turn: number): Promise<boolean> {
  const lease = await hub.store.get<Lease>(LEASE_KEY);
  if (turn > 0) return lease?.turn === turn;
  return lease === undefined || lease.until <= hub.clock.now().toISOString();
}

/** Passes the lease to the next run after a delay in milliseconds. */
export async function renewLease(hub: Hub, turn: number, delayMs: number): Promise<void> {
  const next = turn + 1;
  await hub.jobs.emit('backfill', { turn: next }, { key: `turn:${next}`, delayMs });
  const until = new Date(hub.clock.now().getTime() + delayMs + LEASE_MS).toISOString();
  await hub.store.put(LEASE_KEY, { turn: next, until });
}

/** Releases the lease when no contact is left. */
export async function releaseLease(hub: Hub): Promise<void> {
  await hub.store.delete(LEASE_KEY);
}
