import { createHash } from 'node:crypto';
import type { StoreEntry } from '@rapport/plugin-sdk';
import type { Hub } from './plugin.js';

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

const MAX_RUN_ID_LENGTH = 100;
const MAX_COUNTED_TASKS = 5_000;

/** A contact whose past bookings have yet to be added. */
export type BackfillTask = {
  readonly run: string;
  /** As `addressOf` makes it. */
  readonly email: string;
  /** Where to go on. */
  readonly cursor?: string;
};

/** What a run has done so far. */
export type BackfillRun = {
  readonly contacts: number;
  /** Contacts whom Cal.com did not want to be asked about. */
  readonly failed: number;
  /** New on timelines. */
  readonly activities: number;
  /** Key of the contact counted last, so that one is not counted twice. */
  readonly last: string | null;
};

/** Progress of a run, for people. */
export type BackfillProgress = {
  readonly id: string;
  readonly status: 'running' | 'done';
  readonly contacts_done: number;
  readonly contacts_failed: number;
  readonly contacts_waiting: number;
  readonly activities: number;
};

const EMPTY_RUN: BackfillRun = { contacts: 0, failed: 0, activities: 0, last: null };

/** Remembers that a contact is to be done. Again it begins anew. */
export async function addTask(hub: Hub, run: string, email: string): Promise<void> {
  const short = toRunKey(run);
  await hub.store.put(`todo:${short}:${hash(email)}`, { run: short, email });
}

/** The next contact; undefined when nobody is left. */
export async function nextTask(hub: Hub): Promise<StoreEntry<BackfillTask> | undefined> {
  return (await hub.store.list<BackfillTask>('todo:', { limit: 1 }))[0];
}

/** Counts a page of a contact, and remembers where to go on, or that the contact is done. */
export async function finishPage(
  hub: Hub,
  { key, value }: StoreEntry<BackfillTask>,
  page: { readonly next?: string | undefined; readonly activities?: number; readonly failed?: boolean },
): Promise<void> {
  const { next, activities = 0, failed = false } = page;
  const run = (await hub.store.get<BackfillRun>(`run:${value.run}`)) ?? EMPTY_RUN;
  const ended = next === undefined && run.last !== key;
  await hub.store.put(`run:${value.run}`, {
    contacts: run.contacts + (ended && !failed ? 1 : 0),
    failed: run.failed + (ended && failed ? 1 : 0),
    activities: run.activities + activities,
    last: ended ? key : run.last,
  });
  if (next === undefined) await hub.store.delete(key);
  else await hub.store.put(key, { ...value, cursor: next });
}

/** Opens a run whose contacts are still being collected, and closes the collecting. */
export const collection = {
  begin: (hub: Hub, run: string) => hub.store.put(`collecting:${toRunKey(run)}`, true),
  end: (hub: Hub, run: string) => hub.store.delete(`collecting:${toRunKey(run)}`),
};

/** How far a run is; undefined for one that there never was. */
export async function readProgress(hub: Hub, id: string): Promise<BackfillProgress | undefined> {
  const run = toRunKey(id);
  // In the order in which a run goes on: whoever is not waiting any more when it is asked has been counted by then.
  const isCollecting = (await hub.store.get(`collecting:${run}`)) !== undefined;
  const waiting = await countTasks(hub, run);
  const stored = await hub.store.get<BackfillRun>(`run:${run}`);
  if (!stored && waiting === 0 && !isCollecting) return undefined;
  const { contacts, failed, activities } = stored ?? EMPTY_RUN;
  return {
    id,
    status: waiting > 0 || isCollecting ? 'running' : 'done',
    contacts_done: contacts,
    contacts_failed: failed,
    contacts_waiting: waiting,
    activities,
  };
}

async function countTasks(hub: Hub, run: string): Promise<number> {
  let count = 0;
  for (let after = ''; count < MAX_COUNTED_TASKS;) {
    const page = await hub.store.list(`todo:${run}:`, { after });
    count += page.length;
    if (page.length < 100) break;
    after = page.at(-1)!.key;
  }
  return count;
}

/** Ids of imports are whatever their plugin makes them. */
function toRunKey(run: string): string {
  return run.length <= MAX_RUN_ID_LENGTH && !run.includes(':') ? run : hash(run);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
