import type { Json, ObservationInput, RecordRow } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import { ACTIVITY_TYPES, type ActivityType, type CrmActivity } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';
import { cut, findAll, toFocus } from './graph-calls.js';
import { type Outcome, readStates } from './record-state.js';
import { readSince, saveSince } from './since.js';

/** Where the reading of activities stands; null at its beginning. */
interface ActivityCursor {
  /** Position in {@link ACTIVITY_TYPES}. */
  readonly position: number;
  readonly page: Json;
}

/** How a page of activities is read. */
export interface ActivityOptions {
  readonly cursor: Json;
  readonly isFull: boolean;
  readonly isDryRun: boolean;
  /** When the reading of activities began, ISO 8601. */
  readonly startedAt: string;
}

/**
 * Reads a page of calls, e-mails or meetings into the timelines of the people whom they are about. People are not added. What
 * was there before the first sync is recorded as a backfill, which triggers nothing.
 */
export async function pullActivities(
  hub: Hub,
  { cursor, isFull, isDryRun, startedAt }: ActivityOptions,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly cursor: Json }> {
  const { position, page } = (cursor as ActivityCursor | null) ?? { position: 0, page: null };
  const type = ACTIVITY_TYPES[position]!;
  const since = await readSince(hub, type);
  const read = await adapterOf(hub).pullActivities!(hub, { type, since: isFull ? null : since, cursor: page });
  const method = since === null ? 'backfill' : 'plugin';
  const outcomes = await recordActivities(hub, type, read.activities, { method, isDryRun });
  if (read.cursor !== null) return { outcomes, cursor: { position, page: read.cursor } };
  if (!isDryRun) await saveSince(hub, type, startedAt);
  const isLast = position + 1 === ACTIVITY_TYPES.length;
  return { outcomes, cursor: isLast ? null : { position: position + 1, page: null } };
}

async function recordActivities(
  hub: Hub,
  type: ActivityType,
  activities: readonly CrmActivity[],
  { method, isDryRun }: { readonly method: string; readonly isDryRun: boolean },
): Promise<Outcome[]> {
  const knownIds = await findKnownContacts(hub, activities);
  const rows: RecordRow[] = [];
  const owners: number[] = [];
  for (const [index, activity] of activities.entries()) {
    for (const contactId of await listSubjects(hub, activity)) {
      if (!knownIds.has(contactId)) continue;
      rows.push({
        focus: toFocus(hub, 'contacts', contactId),
        observations: [toObservation(hub, type, activity, method)],
      });
      owners.push(index);
    }
  }
  const outcomes = activities.map((): Outcome => 'skipped');
  if (isDryRun) for (const index of owners) outcomes[index] = 'created';
  else await recordRows(hub, rows, owners, outcomes);
  return outcomes;
}

async function recordRows(
  hub: Hub,
  rows: readonly RecordRow[],
  owners: readonly number[],
  outcomes: Outcome[],
): Promise<void> {
  let next = 0;
  for (const part of cut(rows)) {
    for (const result of await hub.graph.recordMany(part)) {
      const index = owners[next++]!;
      if ('error' in result) outcomes[index] = 'failed';
      else if (result.recorded > 0) outcomes[index] = 'created';
      else if (outcomes[index] === 'skipped') outcomes[index] = 'unchanged';
    }
  }
}

async function findKnownContacts(hub: Hub, activities: readonly CrmActivity[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(activities.flatMap(({ contactIds }) => contactIds))];
  const found = await findAll(
    hub,
    ids.map(id => toFocus(hub, 'contacts', id)),
  );
  return new Set(ids.filter((_, index) => found[index] !== null));
}

/** Returns the contacts whose timeline gets an activity. Of an e-mail that came in that is its sender, not who else got it. */
async function listSubjects(hub: Hub, { event, contactIds, from }: CrmActivity): Promise<readonly string[]> {
  if (event === null) return [];
  if (event.property !== 'interaction.email_replied') return contactIds;
  if (from === null) return contactIds.length === 1 ? contactIds : [];
  const states = await readStates(hub, 'contacts', contactIds);
  return contactIds.filter(id => {
    const state = states.get(id);
    return state !== undefined && !('erased' in state) && state.emails.includes(from);
  });
}

function toObservation(hub: Hub, type: ActivityType, { id, event }: CrmActivity, method: string): ObservationInput {
  const { provider } = adapterOf(hub);
  const { property, at, value } = event!;
  const observed_at = new Date(Math.min(Date.parse(at), hub.clock.now().getTime())).toISOString();
  const external_id = `${provider}:${type}:${id}`;
  return { kind: 'event', property, value, observed_at, source: `crm:${provider}`, method, external_id };
}
