import type { HubContext, Json, StoreChange } from '@rapport/plugin-sdk';
import type { Delivery } from './delivery.js';
import type { Endpoint } from './endpoint.js';
import { type Health, WELL } from './health.js';

/** How long deliveries are kept, and what is known of them. */
export const KEPT_MS = 30 * 86_400_000;
/** Most endpoints of a workspace. */
export const MOST_ENDPOINTS = 50;
const TOLD_MS = 7 * 86_400_000;
/** Deliveries of a page. */
export const PAGE = 200;
/** Changes of one write: a thousand at most, and bodies may have 20 kB. */
const CHANGES = 400;
const MOST_KEYS = 1_000;

type Store = HubContext['store'];

const key = {
  endpoint: (id: string) => `endpoint:${id}`,
  health: (id: string) => `health:${id}`,
  queue: (endpoint: string, id = '') => `queue:${endpoint}:${id}`,
  log: (endpoint: string, id = '') => `log:${endpoint}:${id}`,
  told: (observation: string) => `told:${observation}`,
};

/** All endpoints of the workspace, the oldest first; while many are made at once these are more than stay. */
export async function endpointsIn(store: Store): Promise<Endpoint[]> {
  const all = await store.list<Endpoint>('endpoint:', { limit: MOST_KEYS });
  return all.map(({ value }) => value).toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/** One endpoint; undefined when there is none of that id. */
export function endpointIn(store: Store, id: string): Promise<Endpoint | undefined> {
  return store.get<Endpoint>(key.endpoint(id));
}

/** Saves an endpoint. */
export function keepEndpoint(store: Store, endpoint: Endpoint): Promise<void> {
  return store.put(key.endpoint(endpoint.id), endpoint as Json);
}

/** Saves a new endpoint. @returns false when there are enough already, those that are being made at once included */
export async function addEndpoint(store: Store, endpoint: Endpoint): Promise<boolean> {
  await keepEndpoint(store, endpoint);
  if ((await endpointsIn(store)).length <= MOST_ENDPOINTS) return true;
  await removeEndpoint(store, endpoint.id);
  return false;
}

/** How an endpoint is. */
export async function healthOf(store: Store, id: string): Promise<Health> {
  return (await store.get<Health>(key.health(id))) ?? WELL;
}

/** An endpoint and how it is, in one reading; the endpoint is undefined when there is none of that id. */
export async function standingOf(store: Store, id: string): Promise<{ endpoint?: Endpoint; health: Health }> {
  const found = await store.getMany([key.endpoint(id), key.health(id)]);
  const endpoint = found.get(key.endpoint(id)) as Endpoint | undefined;
  return { ...(endpoint && { endpoint }), health: (found.get(key.health(id)) as Health | undefined) ?? WELL };
}

/** Forgets how an endpoint was. */
export function forgetHealth(store: Store, id: string): Promise<void> {
  return store.delete(key.health(id));
}

/** Takes an endpoint away; what waits for it is {@link clear}ed afterwards. */
export async function removeEndpoint(store: Store, id: string): Promise<void> {
  await store.write([{ key: key.endpoint(id) }, { key: key.health(id) }]);
}

/** Those of these observations that have been told already. */
export async function toldAmong(store: Store, observations: readonly string[]): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  for (const some of portions(observations, MOST_KEYS)) {
    const found = await store.getMany(some.map(key.told));
    for (const each of some) if (found.has(key.told(each))) told.add(each);
  }
  return told;
}

/** What an observation is told as, to each endpoint by its id. */
export interface Plan {
  readonly observation: string;
  readonly deliveries: readonly (readonly [endpoint: string, Delivery])[];
}

/**
 * Has messages delivered, each once: with the mark that its observation was told, or not at all. What somebody else has
 * told meanwhile is left out.
 */
export async function plan(store: Store, plans: readonly Plan[]): Promise<void> {
  let some: Plan[] = [];
  let size = 0;
  for (const each of plans) {
    if (size > 0 && size + each.deliveries.length >= CHANGES) {
      await planTogether(store, some);
      [some, size] = [[], 0];
    }
    some.push(each);
    size += 1 + each.deliveries.length;
  }
  await planTogether(store, some);
}

async function planTogether(store: Store, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0 || (await store.write(plans.flatMap(changesOf))) || plans.length === 1) return;
  for (const each of plans) await store.write(changesOf(each));
}

function changesOf({ observation, deliveries }: Plan): StoreChange[] {
  return [
    { key: key.told(observation), value: true, mustBeNew: true, expiresInMs: TOLD_MS },
    ...deliveries.map(([endpoint, delivery]) => waiting(endpoint, delivery)),
  ];
}

/**
 * What waits for an endpoint, in its order, page by page.
 * @param first how many the first page has at most; each one after it has twice as many, up to a full page
 */
export async function* waitingFor(store: Store, endpoint: string, first = PAGE): AsyncGenerator<Delivery[]> {
  let limit = first;
  for (let after: string | undefined; ;) {
    const page = await store.list<Delivery>(key.queue(endpoint), { limit, ...(after !== undefined && { after }) });
    yield page.map(({ value }) => value);
    if (page.length < limit) return;
    after = page.at(-1)!.key;
    limit = Math.min(2 * limit, PAGE);
  }
}

/** Writes down what became of deliveries, and how the endpoint is now. */
export async function settle(store: Store, endpoint: string, deliveries: readonly Delivery[], health?: Health) {
  await store.write([
    ...deliveries.flatMap(delivery => settled(endpoint, delivery)),
    ...(health ? [{ key: key.health(endpoint), value: health as Json }] : []),
  ]);
}

/** A page of the log with what still waits, the newest first. */
export async function logOf(store: Store, endpoint: string, where: { before?: string; limit: number }) {
  const page = async (prefix: (endpoint: string, id?: string) => string) =>
    store.list<Delivery>(prefix(endpoint), {
      limit: where.limit,
      reverse: true,
      ...(where.before !== undefined && { after: prefix(endpoint, where.before) }),
    });
  const both = [...(await page(key.log)), ...(await page(key.queue))].map(({ value }) => value);
  return both.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, where.limit);
}

/** One delivery, wherever it is; undefined when there is none. */
export async function deliveryIn(store: Store, endpoint: string, id: string): Promise<Delivery | undefined> {
  return (await store.get<Delivery>(key.queue(endpoint, id))) ?? store.get<Delivery>(key.log(endpoint, id));
}

/** Ended deliveries that landed after `from`, page by page, in their order. */
export async function* endedSince(store: Store, endpoint: string, from: string): AsyncGenerator<Delivery[]> {
  for (let after = key.log(endpoint, from); ;) {
    const page = await store.list<Delivery>(key.log(endpoint), { limit: PAGE, after });
    yield page.map(({ value }) => value);
    if (page.length < PAGE) return;
    after = page.at(-1)!.key;
  }
}

/** Takes everything away that was kept of an endpoint. */
export async function clear(store: Store, endpoint: string): Promise<void> {
  for (const prefix of [key.queue(endpoint), key.log(endpoint)]) {
    for (let page = await store.list(prefix, { limit: PAGE }); page.length > 0;) {
      await store.write(page.map(entry => ({ key: entry.key })));
      page = await store.list(prefix, { limit: PAGE });
    }
  }
}

function settled(endpoint: string, delivery: Delivery): StoreChange[] {
  if (delivery.state === 'waiting') return [{ key: key.log(endpoint, delivery.id) }, waiting(endpoint, delivery)];
  const log = { key: key.log(endpoint, delivery.id), value: delivery as Json, expiresInMs: KEPT_MS };
  return [{ key: key.queue(endpoint, delivery.id) }, log];
}

function waiting(endpoint: string, delivery: Delivery): StoreChange {
  return { key: key.queue(endpoint, delivery.id), value: delivery as Json, expiresInMs: KEPT_MS };
}

function portions<Each>(all: readonly Each[], most: number): (readonly Each[])[] {
  const count = Math.ceil(all.length / most);
  return Array.from({ length: count }, (_, n) => all.slice(n * most, (n + 1) * most));
}
