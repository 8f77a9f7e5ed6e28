import type { EntitySummary, HubContext, InteractionRecord, PluginEvent } from '@rapport/plugin-sdk';
import type { InteractionEvent } from './filter.js';
import { findDelivered } from './delivery-store.js';

/** How far back it is looked for what landed before and has not come yet. */
const LOOK_BACK_MS = 10 * 60_000;
const PAGE_SIZE = 100;
/** Entities that are read at once. */
const CONCURRENCY = 8;

/** Somebody with what has landed on them of late. */
export interface EntityTimeline {
  readonly entity: EntitySummary;
  /** In the order in which it landed. */
  readonly interactions: readonly InteractionRecord[];
  /** Ids of the observations that the events at hand tell of. */
  readonly requestedIds: ReadonlySet<string>;
}

type TriggerPluginEvent = PluginEvent<InteractionEvent>;

/** The stories that events belong to, one for each entity; those that nobody knows any more are left out. */
export async function readTimelines(events: readonly TriggerPluginEvent[], hub: HubContext): Promise<EntityTimeline[]> {
  const stories: EntityTimeline[] = [];
  const byEntity = Map.groupBy(events, ({ payload }) => payload.entity_id).entries();
  const readers = Array.from({ length: CONCURRENCY }, async () => {
    for (const [entity, own] of byEntity) stories.push(...(await readTimeline(entity, own, hub)));
  });
  await Promise.all(readers);
  return stories;
}

async function readTimeline(
  entity: string,
  events: readonly TriggerPluginEvent[],
  hub: HubContext,
): Promise<EntityTimeline[]> {
  const found = await hub.graph.find(entity);
  if (found?.status !== 'one') return [];
  const requestedIds = new Set(events.map(({ payload }) => payload.observation_id));
  const interactions = await readInteractions(found.entity, requestedIds, hub);
  return [{ entity: found.entity, interactions, requestedIds }];
}

/** From the newest, page by page, back to what is old or was told before, and to the first of the events at hand. */
async function readInteractions(
  { id }: EntitySummary,
  own: ReadonlySet<string>,
  hub: HubContext,
): Promise<InteractionRecord[]> {
  const since = hub.clock.now().getTime() - LOOK_BACK_MS;
  const isRecent = ({ recorded_at }: InteractionRecord) => Date.parse(recorded_at) > since;
  const missing = new Set(own);
  let all: InteractionRecord[] = [];
  for (let until: string | undefined; ;) {
    const page = await hub.graph.listInteractions(id, { limit: PAGE_SIZE, ...(until !== undefined && { until }) });
    all = [...page.filter(({ observation }) => observation.id !== until), ...all];
    for (const { observation } of page) missing.delete(observation.id);
    const [first] = page;
    if (page.length < PAGE_SIZE || !first) break;
    until = first.observation.id;
    if (missing.size === 0 && (!isRecent(first) || (await findDelivered(hub.store, [until])).size > 0)) break;
  }
  return all.filter(each => own.has(each.observation.id) || isRecent(each));
}
