import { type CrashHarness, crashHarness } from '../support/process/crash-harness.js';
import { event, tryRecord, wholeTimeline } from '../support/graph/graph-calls.js';
import type { Client } from '../support/hub.js';
import { until } from '../support/until.js';

const ROWS = 4;
const LOADERS = Array.from({ length: 12 }, (_, i) => i);
const people = Array.from({ length: 5 }, (_, i) => `https://linkedin.com/in/person-${i}`);

let ground: CrashHarness;

beforeAll(async () => {
  ground = await crashHarness();
});
afterAll(() => ground?.clear());

/** Everybody writes batches about the same few people until the hub is gone; `acknowledged` hears of what it answered. */
async function loadUntilItDies(client: Client, round: string, acknowledged: Set<string>): Promise<void> {
  const write = async (loader: number) => {
    for (let n = 0; ; n++) {
      const id = `${round}.${loader}.${n}`;
      const rows = Array.from({ length: ROWS }, (_, row) => event('call_held', { external_id: `${id}-${row}` }));
      const answer = await tryRecord(client, people[n % people.length]!, rows).catch(() => undefined);
      if (!answer) return;
      expect({ status: answer.status, recorded: answer.body.recorded }).toEqual({ status: 200, recorded: ROWS });
      acknowledged.add(id);
    }
  };
  await Promise.all(LOADERS.map(write));
}

/** The batches that the timelines hold, by their id, with the ids of their observations. */
async function recordedBatches(client: Client): Promise<Map<string, string[]>> {
  const timelines = await Promise.all(people.map(who => wholeTimeline(client, who)));
  const byBatch = Map.groupBy(timelines.flat(), row => row.external_id!.split('-')[0]!);
  return new Map([...byBatch].map(([id, rows]) => [id, rows.map(row => row.id)]));
}

const eventsInOutbox = async () =>
  (
    await ground.ask<{ ids: string[] }>(
      "SELECT event->'payload'->'observation_ids' AS ids FROM outbox, json_array_elements(events) AS event",
    )
  ).map(({ ids }) => ids);

const confirmed = async (url: string) =>
  Number(/^rapport_events_delivered_total (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);

it('a hub that is killed in mid-load has every acknowledged batch once, no half batch, and every event', async () => {
  const acknowledged = new Set<string>();
  let hub = await ground.start('api');
  for (const round of ['first', 'second']) {
    const enough = acknowledged.size + 60;
    const load = loadUntilItDies(ground.client(hub), round, acknowledged);
    await until('there is load', () => acknowledged.size > enough);
    expect(await hub.end('SIGKILL')).toBeNull();
    await load;
    hub = await ground.start('api');
  }

  const batches = await recordedBatches(ground.client(hub));
  expect([...acknowledged].filter(id => !batches.has(id))).toEqual([]);
  expect([...batches.values()].map(ids => ids.length)).toEqual([...batches].map(() => ROWS));
  const unannounced = new Set([...batches.values()].map(ids => ids.toSorted().join()));
  const announced = (await eventsInOutbox()).map(ids => ids.toSorted().join());
  expect(announced.toSorted()).toEqual([...unannounced].toSorted());

  expect(await hub.end('SIGTERM')).toBe(0);
  hub = await ground.start('all');
  await until('every event has been delivered', async () => (await eventsInOutbox()).length === 0);
  await until('all of them are counted', async () => (await confirmed(hub.url)) >= batches.size);
  expect(await recordedBatches(ground.client(hub))).toEqual(batches);
});
