import type { FoundEntity, HubContext, LandedInteraction, PluginEvent } from '@rapport/plugin-sdk';
import type { TriggerEvent } from './events.js';
import { toldAmong } from './ledger.js';

/** How far back it is looked for what landed before and has not come yet. */
const LOOK_BACK_MS = 10 * 60_000;
const PAGE = 100;
/** Entities that are read at once. */
const AT_ONCE = 8;

/** Somebody with what has landed on them of late. */
export interface Story {
  readonly who: FoundEntity;
  /** In the order in which it landed. */
  readonly landed: readonly LandedInteraction[];
  /** Ids of the observations that the events at hand tell of. */
  readonly own: ReadonlySet<string>;
}

type Told = PluginEvent<TriggerEvent>;

/** The stories that events belong to, one for each entity; those that nobody knows any more are left out. */
export async function storiesOf(events: readonly Told[], hub: HubContext): Promise<Story[]> {
  const stories: Story[] = [];
  const byEntity = Map.groupBy(events, ({ payload }) => payload.entity_id).entries();
  const readers = Array.from({ length: AT_ONCE }, async () => {
    for (const [entity, own] of byEntity) stories.push(...(await storyOf(entity, own, hub)));
  });
  await Promise.all(readers);
  return stories;
}

async function storyOf(entity: string, events: readonly Told[], hub: HubContext): Promise<Story[]> {
  const found = await hub.graph.find(entity);
  if (found?.status !== 'one') return [];
  const own = new Set(events.map(({ payload }) => payload.observation_id));
  const landed = await landedOn(found.entity, own, hub);
  return [{ who: found.entity, landed, own }];
}

/** From the newest, page by page, back to what is old or was told before, and to the first of the events at hand. */
async function landedOn({ id }: FoundEntity, own: ReadonlySet<string>, hub: HubContext): Promise<LandedInteraction[]> {
  const since = hub.clock.now().getTime() - LOOK_BACK_MS;
  const isRecent = ({ recorded_at }: LandedInteraction) => Date.parse(recorded_at) > since;
  const missing = new Set(own);
  let all: LandedInteraction[] = [];
  for (let until: string | undefined; ;) {
    const page = await hub.graph.interactions(id, { limit: PAGE, ...(until !== undefined && { until }) });
    all = [...page.filter(({ observation }) => observation.id !== until), ...all];
    for (const { observation } of page) missing.delete(observation.id);
    const [first] = page;
    if (page.length < PAGE || !first) break;
    until = first.observation.id;
    if (missing.size === 0 && (!isRecent(first) || (await toldAmong(hub.store, [until])).size > 0)) break;
  }
  return all.filter(each => own.has(each.observation.id) || isRecent(each));
}
