import type { Hub } from './provider.js';

/** Longer than a turn takes. Should one be lost, anybody may begin anew after it. */
const LEASE_MS = 5 * 60_000;
const LEASE_KEY = 'lease';

type Lease = { readonly turn: number; readonly until: string };

/** Has the contacts that wait looked at. While somebody is at it this changes nothing. */
export function startBackfill(hub: Hub): Promise<void> {
  return hub.jobs.emit('backfill', { turn: 0 }, { key: 'turn:0' });
}

/** Whether a turn is the one that is due: one after the other, so that a connection asks Cal.com by one mouth. */
export async function isLeaseDue(hub: Hub, turn: number): Promise<boolean> {
  const lease = await hub.store.get<Lease>(LEASE_KEY);
  if (turn > 0) return lease?.turn === turn;
  return lease === undefined || lease.until <= hub.clock.now().toISOString();
}

/** Hands over to the next turn after a rest. */
export async function renewLease(hub: Hub, turn: number, delayMs: number): Promise<void> {
  const next = turn + 1;
  await hub.jobs.emit('backfill', { turn: next }, { key: `turn:${next}`, delayMs });
  const until = new Date(hub.clock.now().getTime() + delayMs + LEASE_MS).toISOString();
  await hub.store.put(LEASE_KEY, { turn: next, until });
}

/** Nobody is left: whoever comes next begins anew. */
export async function releaseLease(hub: Hub): Promise<void> {
  await hub.store.delete(LEASE_KEY);
}
