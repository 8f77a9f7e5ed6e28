import type { ActivityType, CrmObject } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';

/** A CRM finds changed records some time after they were changed. */
const LOOK_BACK_MS = 10 * 60_000;

/** What is read in full first, and then by its changes. */
type Source = CrmObject | ActivityType;

const sinceKey = (source: Source) => `since:${source}`;

/** Returns from when on changes are read, ISO 8601; null if nothing was ever read to its end. */
export async function readSince(hub: Hub, source: Source): Promise<string | null> {
  const since = await hub.store.get<string>(sinceKey(source));
  return since === undefined ? null : new Date(Date.parse(since) - LOOK_BACK_MS).toISOString();
}

/** Keeps when the reading began that has come to its end. */
export function saveSince(hub: Hub, source: Source, startedAt: string): Promise<void> {
  return hub.store.put(sinceKey(source), startedAt);
}
