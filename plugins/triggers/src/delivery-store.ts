import type { HubContext, Json, StoreAct, StoreChange } from '@rapport/plugin-sdk';
import type { Delivery } from './delivery.js';
import type { Endpoint } from './endpoint.js';
import { type Health, CLOSED } from './circuit-breaker.js';

/** How long deliveries are kept, and what is known of them. */
export const RETENTION_MS = 30 * 86_400_000;
/** Most endpoints of a workspace. */
export const MAX_ENDPOINTS = 50;
const DEDUPE_TTL_MS = 7 * 86_400_000;
/** Deliveries of a page. */
export const PAGE_SIZE = 200;
/** Changes of one write: a thousand at most, and bodies may have 20 kB. */
const MAX_CHANGES = 400;
const MAX_KEYS = 1_000;

type Store = HubContext['store'];

/** An endpoint and how it is. */
interface ShownEndpoint {
  readonly endpoint: Endpoint;
  readonly health: Health;
}

/** What is known of an endpoint that cannot be decrypted. */
interface LockedEndpoint {
  readonly id: string;
  /** When it was saved, ISO 8601. */
  readonly updatedAt: string;
}

const keys = {
  endpoint: (id: string) => `endpoint:${id}`,
  health: (id: string) => `health:${id}`,
  queue: (endpoint: string, id = '') => `queue:${endpoint}:${id}`,
  log: (endpoint: string, id = '') => `log:${endpoint}:${id}`,
  told: (observation: string) => `told:${observation}`,
};

/** All endpoints of the workspace, the oldest first; while many are made at once these are more than stay. */
export async function listEndpoints(store: Store): Promise<Endpoint[]> {
  const all = await store.list<Endpoint>('endpoint:', { limit: MAX_KEYS });
  return all.map(({ value }) => value).toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/** Endpoints for people, with those whose values cannot be decrypted at the moment. */
export async function listShownEndpoints(store: Store): Promise<(ShownEndpoint | LockedEndpoint)[]> {
  const options = { limit: MAX_KEYS, includeLocked: true };
  const [endpoints, healths] = await Promise.all([
    store.list<Endpoint>('endpoint:', options),
    store.list<Health>('health:', options),
  ]);
  const healthByKey = new Map(healths.map(entry => [entry.key, entry]));
  const shown = endpoints.map(({ key, value, locked }) => {
    const id = key.slice('endpoint:'.length);
    const health = healthByKey.get(keys.health(id));
    const locking = locked ?? health?.locked;
    return locking ? { id, updatedAt: locking.updatedAt } : { endpoint: value, health: health?.value ?? CLOSED };
  });
  const createdAt = (each: ShownEndpoint | LockedEndpoint) =>
    'endpoint' in each ? each.endpoint.created_at : each.updatedAt;
  return shown.toSorted((a, b) => (createdAt(a) < createdAt(b) ? -1 : 1));
}

/** One endpoint; undefined when there is none of that id. */
export function findEndpoint(store: Store, id: string): Promise<Endpoint | undefined> {
  return store.get<Endpoint>(keys.endpoint(id));
}

/** Saves an endpoint. @param act what changed, for the audit log */
export async function saveEndpoint(store: Store, endpoint: Endpoint, act: StoreAct): Promise<void> {
  await store.write([{ key: keys.endpoint(endpoint.id), value: endpoint as Json }], act);
}

/** Saves a new endpoint. @returns false when there are enough already, those that are being made at once included */
export async function addEndpoint(store: Store, endpoint: Endpoint, act: StoreAct): Promise<boolean> {
  await saveEndpoint(store, endpoint, act);
  if ((await listEndpoints(store)).length <= MAX_ENDPOINTS) return true;
  await removeEndpoint(store, endpoint.id, { action: 'delete', objectId: endpoint.id });
  return false;
}

/** How an endpoint is. */
export async function readHealth(store: Store, id: string): Promise<Health> {
  return (await store.get<Health>(keys.health(id))) ?? CLOSED;
}

/** An endpoint and how it is, in one reading; the endpoint is undefined when there is none of that id. */
export async function readEndpointWithHealth(
  store: Store,
  id: string,
): Promise<{ endpoint?: Endpoint; health: Health }> {
  const found = await store.getMany([keys.endpoint(id), keys.health(id)]);
  const endpoint = found.get(keys.endpoint(id)) as Endpoint | undefined;
  return { ...(endpoint && { endpoint }), health: (found.get(keys.health(id)) as Health | undefined) ?? CLOSED };
}

/** Forgets how an endpoint was. */
export function resetHealth(store: Store, id: string): Promise<void> {
  return store.delete(keys.health(id));
}

/** Takes an endpoint away; what waits for it is {@link deleteDeliveries}ed afterwards. */
export async function removeEndpoint(store: Store, id: string, act: StoreAct): Promise<void> {
  await store.write([{ key: keys.endpoint(id) }, { key: keys.health(id) }], act);
}

/** Those of these observations that have been told already. */
export async function findDelivered(store: Store, observations: readonly string[]): Promise<ReadonlySet<string>> {
  const delivered = new Set<string>();
  for (const some of chunk(observations, MAX_KEYS)) {
    const found = await store.getMany(some.map(keys.told));
    for (const each of some) if (found.has(keys.told(each))) delivered.add(each);
  }
  return delivered;
}

/** What an observation is told as, to each endpoint by its id. */
export interface DeliveryPlan {
  readonly observation: string;
  readonly deliveries: readonly (readonly [endpoint: string, Delivery])[];
}

/**
 * Has messages delivered, each once: with the mark that its observation was told, or not at all. What somebody else has
 * told meanwhile is left out.
 */
export async function savePlans(store: Store, plans: readonly DeliveryPlan[]): Promise<void> {
  let some: DeliveryPlan[] = [];
  let size = 0;
  for (const each of plans) {
    if (size > 0 && size + each.deliveries.length >= MAX_CHANGES) {
      await savePlanBatch(store, some);
      [some, size] = [[], 0];
    }
    some.push(each);
    size += 1 + each.deliveries.length;
  }
  await savePlanBatch(store, some);
}

async function savePlanBatch(store: Store, plans: readonly DeliveryPlan[]): Promise<void> {
  if (plans.length === 0 || (await store.write(plans.flatMap(toPlanChanges))) || plans.length === 1) return;
  for (const each of plans) await store.write(toPlanChanges(each));
}

function toPlanChanges({ observation, deliveries }: DeliveryPlan): StoreChange[] {
  return [
    { key: keys.told(observation), value: true, mustBeNew: true, expiresInMs: DEDUPE_TTL_MS },
    ...deliveries.map(([endpoint, delivery]) => toWaitingChange(endpoint, delivery)),
  ];
}

/**
 * What waits for an endpoint, in its order, page by page.
 * @param first how many the first page has at most; each one after it has twice as many, up to a full page
 */
export async function* listWaiting(store: Store, endpoint: string, first = PAGE_SIZE): AsyncGenerator<Delivery[]> {
  let limit = first;
  for (let after: string | undefined; ;) {
    const page = await store.list<Delivery>(keys.queue(endpoint), { limit, ...(after !== undefined && { after }) });
    yield page.map(({ value }) => value);
    if (page.length < limit) return;
    after = page.at(-1)!.key;
    limit = Math.min(2 * limit, PAGE_SIZE);
  }
}

/** Writes down what became of deliveries, and how the endpoint is now. */
export async function saveDeliveries(store: Store, endpoint: string, deliveries: readonly Delivery[], health?: Health) {
  await store.write([
    ...deliveries.flatMap(delivery => toDeliveryChanges(endpoint, delivery)),
    ...(health ? [{ key: keys.health(endpoint), value: health as Json }] : []),
  ]);
}

/** A page of the log with what still waits, the newest first. */
export async function readLog(store: Store, endpoint: string, where: { before?: string; limit: number }) {
  const page = async (prefix: (endpoint: string, id?: string) => string) =>
    store.list<Delivery>(prefix(endpoint), {
      limit: where.limit,
      reverse: true,
      ...(where.before !== undefined && { after: prefix(endpoint, where.before) }),
    });
  const both = [...(await page(keys.log)), ...(await page(keys.queue))].map(({ value }) => value);
  return both.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, where.limit);
}

/** One delivery, wherever it is; undefined when there is none. */
export async function findDelivery(store: Store, endpoint: string, id: string): Promise<Delivery | undefined> {
  return (await store.get<Delivery>(keys.queue(endpoint, id))) ?? store.get<Delivery>(keys.log(endpoint, id));
}

/** Ended deliveries that landed after `from`, page by page, in their order. */
export async function* failedSince(store: Store, endpoint: string, from: string): AsyncGenerator<Delivery[]> {
  for (let after = keys.log(endpoint, from); ;) {
    const page = await store.list<Delivery>(keys.log(endpoint), { limit: PAGE_SIZE, after });
    yield page.map(({ value }) => value);
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.key;
  }
}

/** Takes everything away that was kept of an endpoint. */
export async function deleteDeliveries(store: Store, endpoint: string): Promise<void> {
  for (const prefix of [keys.queue(endpoint), keys.log(endpoint)]) {
    for (let page = await store.list(prefix, { limit: PAGE_SIZE }); page.length > 0;) {
      await store.write(page.map(entry => ({ key: entry.key })));
      page = await store.list(prefix, { limit: PAGE_SIZE });
    }
  }
}

function toDeliveryChanges(endpoint: string, delivery: Delivery): StoreChange[] {
  if (delivery.state === 'waiting')
    return [{ key: keys.log(endpoint, delivery.id) }, toWaitingChange(endpoint, delivery)];
  const log = { key: keys.log(endpoint, delivery.id), value: delivery as Json, expiresInMs: RETENTION_MS };
  return [{ key: keys.queue(endpoint, delivery.id) }, log];
}

function toWaitingChange(endpoint: string, delivery: Delivery): StoreChange {
  return { key: keys.queue(endpoint, delivery.id), value: delivery as Json, expiresInMs: RETENTION_MS };
}

function chunk<Each>(all: readonly Each[], most: number): (readonly Each[])[] {
  const count = Math.ceil(all.length / most);
  return Array.from({ length: count }, (_, n) => all.slice(n * most, (n + 1) * most));
}
