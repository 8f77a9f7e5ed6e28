import type { StoreChange } from '@rapport/plugin-sdk';
import type { EntityObject } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';
import { writeAll } from './record-state.js';

/** A value that travelled, or a record that was created. */
export interface LogEntry {
  /** ISO 8601. */
  readonly at: string;
  readonly direction: 'pull' | 'push';
  readonly object: EntityObject;
  /** ID of the record. */
  readonly id: string;
  readonly entity_id: string;
  /** Name of the person or company. */
  readonly name: string | null;
  readonly field: string;
  readonly property: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Why: `changed_in_crm`, or the reason of a decision. */
  readonly cause: string;
}

const PREFIX = 'log:';
const MAX_ENTRIES = 1_000;

/**
 * Returns the changes of the store that append entries.
 * @param step identifies run and step: a step that is repeated writes the same keys
 */
export function toLogChanges(entries: readonly LogEntry[], step: string): StoreChange[] {
  return entries.map((entry, index) => ({
    key: `${PREFIX}${entry.at}:${step}:${String(index).padStart(5, '0')}`,
    value: { ...entry },
  }));
}

/** Lists the newest entries, the newest first. @param before key of the page before; null for the first one */
export async function listLog(
  hub: Hub,
  before: string | null,
  limit: number,
): Promise<{ readonly entries: readonly LogEntry[]; readonly next: string | null }> {
  const options = { limit: limit + 1, reverse: true, ...(before !== null && { after: PREFIX + before }) };
  const found = await hub.store.list<never>(PREFIX, options);
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1)!.key.slice(PREFIX.length) : null;
  return { entries: page.map(({ value }) => value as LogEntry), next };
}

/** Deletes entries beyond the newest 1000. */
export async function trimLog(hub: Hub): Promise<void> {
  const newest = await hub.store.list(PREFIX, { reverse: true, limit: MAX_ENTRIES });
  const oldest = newest.at(-1);
  if (newest.length < MAX_ENTRIES || oldest === undefined) return;
  for (;;) {
    const older = await hub.store.list(PREFIX, { reverse: true, limit: MAX_ENTRIES, after: oldest.key });
    await writeAll(
      hub,
      older.map(({ key }) => ({ key })),
    );
    if (older.length < MAX_ENTRIES) return;
  }
}

/** Lists the keys of entries about entities. */
export async function listLogKeys(hub: Hub, entityIds: ReadonlySet<string>): Promise<string[]> {
  const keys: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await hub.store.list<never>(PREFIX, { limit: MAX_ENTRIES, ...(after !== undefined && { after }) });
    for (const { key, value } of page) if (entityIds.has((value as LogEntry).entity_id)) keys.push(key);
    if (page.length < MAX_ENTRIES) return keys;
    after = page.at(-1)!.key;
  }
}
