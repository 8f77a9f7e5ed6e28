import type { ErasureResponse } from '#graph/erasures/erasures.presenter.js';
import { scanDatabase } from '../support/database/scan.js';
import { account, event, record, state } from '../support/graph/graph-calls.js';
import { tryErase } from '../support/graph/erasure-calls.js';
import { type CrashHarness, crashHarness } from '../support/process/crash-harness.js';
import { until } from '../support/until.js';

const BATCHES = 6;
const EVENTS_PER_BATCH = 1_000;

let ground: CrashHarness;

beforeAll(async () => {
  ground = await crashHarness();
});
afterAll(() => ground?.clear());

it('an erasure whose process is killed resumes where it stopped, and others keep their facts', async () => {
  let hub = await ground.start('all');
  let acme = ground.client(hub);
  await record(acme, 'ada.killed@acme.com', [state('name', 'Adalia Killed'), state('title', 'CTO')]);
  for (let batch = 0; batch < BATCHES; batch++) {
    const sent = (n: number) =>
      event('email_sent', { value: { to: 'ada.killed@acme.com' }, external_id: `mail ${batch}.${n}` });
    await record(
      acme,
      'ada.killed@acme.com',
      Array.from({ length: EVENTS_PER_BATCH }, (_, n) => sent(n)),
    );
  }
  await record(acme, 'bob@acme.com', [state('title', 'Engineer'), state('manager', 'Adalia Killed')]);
  const before = await account(acme, 'bob@acme.com');

  const { body: erasure } = await tryErase(acme, 'ada.killed@acme.com');
  const progress = async () =>
    (await ground.ask<{ state: string; counts: Record<string, number> }>('SELECT state, counts FROM erasures'))[0]!;
  const running = await until('a page is erased', async () => {
    const found = await progress();
    return (found.counts['events_anonymized'] ?? 0) > 0 && found;
  });
  expect(await hub.end('SIGKILL')).toBeNull();
  expect(running.state).toBe('running');

  hub = await ground.start('all');
  acme = ground.client(hub);
  const done = await until('the erasure is done', async () => {
    await ground.ask(`UPDATE erasures SET run_at = now() WHERE state <> 'done'`);
    const { body } = await acme.get<ErasureResponse>(`/v2/erasures/${erasure.id}`);
    return body.state === 'done' && body;
  });
  expect(done.counts).toMatchObject({
    events_anonymized: BATCHES * EVENTS_PER_BATCH,
    observations_deleted: 3,
    observations_redacted: 1,
  });
  expect(await scanDatabase(ground.ask, ['ada.killed', 'adalia killed'])).toEqual([]);
  const after = await account(acme, 'bob@acme.com');
  expect(after.claims['title']).toEqual(before.claims['title']);
  expect(after.claims['manager']!.value).toBe('[erased]');
  const [stored] = await ground.ask<{ events: number }>(
    `SELECT count(*)::int AS events FROM observations WHERE property = 'interaction.email_sent'`,
  );
  expect(stored!.events).toBe(BATCHES * EVENTS_PER_BATCH);
  expect(await hub.end('SIGTERM')).toBe(0);
});
