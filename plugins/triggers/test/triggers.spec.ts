import { conformance, testHub, type TestHub } from '@rapport/plugin-sdk/testing';
import { type Delivery, deliveryId } from '../src/delivery.js';
import { settle } from '../src/ledger.js';
import { PAUSES } from '../src/schedule.js';
import fixtures from '../src/fixtures.js';
import manifest from '../src/manifest.js';
import { TriggersPlugin } from '../src/triggers.plugin.js';

const URL = 'https://example.org/hooks';
const ADA = 'ada@example.org';
let hub: TestHub;

interface Trigger {
  readonly id: string;
  readonly secret: string;
  readonly state: string;
}

beforeEach(async () => {
  hub = await testHub(TriggersPlugin, manifest);
});
afterEach(() => hub.close());

async function setTrigger(more: Record<string, never> | object = {}): Promise<Trigger> {
  const body = { url: URL, events: ['reply.received'], ...more };
  const answer = await hub.route('create', { body });
  expect(answer.status).toBe(201);
  return (answer.body as unknown as { trigger: Trigger }).trigger;
}

/** Lets somebody answer, and tells the plugin of it. */
async function reply(external_id: string, focus = ADA, method = 'api'): Promise<void> {
  const { entity_id } = await hub.graph.record(focus, [
    { kind: 'event', property: 'interaction.email_replied', external_id, method, value: { description: external_id } },
  ]);
  await hub.event('reply.received', {
    entity_id,
    observation_id: hub.graph.observations.at(-1)!.id,
    property: 'interaction.email_replied',
  });
}

const stateOf = async ({ id }: Trigger) =>
  ((await hub.route('read', { params: { id } })).body as unknown as { trigger: Trigger }).trigger;
const log = async ({ id }: Trigger) =>
  ((await hub.route('deliveries', { params: { id } })).body as unknown as { deliveries: Logged[] }).deliveries;

interface Recovered {
  readonly recovered: number;
  readonly next_since: string | null;
}

interface Logged {
  readonly id: string;
  readonly state: string;
  readonly message_id: string;
  readonly attempts: readonly { readonly status: number | null; readonly response: string | null }[];
}

describe('a trigger', () => {
  it('is told of what lands, once, with id, time and signature', async () => {
    const trigger = await setTrigger();
    hub.http.expect('POST', '/hooks').reply(204);
    await reply('r-1');
    await hub.drain();
    expect(hub.http.sent).toHaveLength(1);
    expect(hub.http.sent[0]!.headers).toMatchObject({
      'webhook-id': 'msg_observation1',
      'webhook-timestamp': String(hub.clock.now().getTime() / 1000),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    });
    expect(await log(trigger)).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }]);
  });

  it('hears of what passes its filter alone', async () => {
    await setTrigger({ filter: { claims: { title: { contains: 'vp' } } } });
    await reply('r-1');
    await hub.drain();
    expect(hub.http.sent).toHaveLength(0);
    await hub.graph.record(ADA, [{ kind: 'state', property: 'title', value: 'VP Sales' }]);
    hub.http.expect('POST', '/hooks').reply(200);
    await reply('r-2');
    await hub.drain();
    expect(hub.http.sent).toHaveLength(1);
  });

  it('takes in a filter any name of a property, and one condition for it', async () => {
    hub.graph.aliases.set('job_title', 'title');
    await setTrigger({ filter: { claims: { job_title: { contains: 'vp' } }, entity_type: 'person' } });
    await hub.graph.record(ADA, [{ kind: 'state', property: 'title', value: 'VP Sales' }]);
    hub.http.expect('POST', '/hooks').reply(200);
    await reply('r-1');
    await hub.drain();
    expect(hub.http.sent).toHaveLength(1);
    const both = { claims: { job_title: { contains: 'vp' }, title: { ne: 'CEO' } } };
    const body = { url: URL, events: ['reply.received'], filter: both };
    const refused = await hub.route('create', { body });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_filter' } });
  });

  it('hears of no past that was imported', async () => {
    await setTrigger();
    await reply('r-1', ADA, 'import');
    await hub.drain();
    expect(hub.http.sent).toHaveLength(0);
  });

  it('is tried again by the schedule, and given up after the last try', async () => {
    const trigger = await setTrigger();
    hub.http.serve(() => ({ status: 500, body: 'no' }));
    await reply('r-1');
    await hub.drain();
    for (const pause of PAUSES.slice(1)) {
      await hub.clock.advance(Math.ceil(pause * 1.2) + 1_800_000);
    }
    expect(hub.http.sent).toHaveLength(PAUSES.length);
    expect(new Set(hub.http.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(hub.http.sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(PAUSES.length);
    expect(await log(trigger)).toMatchObject([{ state: 'failed' }]);
  });

  it('keeps what comes after in its order until the first is through', async () => {
    await setTrigger();
    hub.http.expect('POST', '/hooks').reply(500);
    await reply('first');
    await reply('second');
    await hub.drain();
    expect(hub.http.sent).toHaveLength(1);
    hub.http.serve(() => ({ status: 200 }));
    await hub.clock.advance(10_000);
    expect(hub.http.sent.map(({ headers }) => headers['webhook-id'])).toEqual([
      'msg_observation1',
      'msg_observation1',
      'msg_observation2',
    ]);
  });

  it('plans first what landed first, also when its event comes later', async () => {
    await setTrigger();
    hub.http.serve(() => ({ status: 200 }));
    const { entity_id } = await hub.graph.record(ADA, [
      { kind: 'event', property: 'interaction.email_replied', external_id: 'first' },
      { kind: 'event', property: 'interaction.email_replied', external_id: 'second' },
    ]);
    const told = (n: number) => ({ entity_id, observation_id: `observation-${n}`, property: 'x' });
    await hub.event('reply.received', told(2));
    await hub.drain();
    await hub.event('reply.received', told(1));
    await hub.drain();
    expect(hub.http.sent.map(({ headers }) => headers['webhook-id'])).toEqual(['msg_observation1', 'msg_observation2']);
  });

  it('waits as the receiver asks', async () => {
    await setTrigger();
    hub.http.expect('POST', '/hooks').reply(429, null, { 'retry-after': '600' });
    await reply('r-1');
    await hub.drain();
    await hub.clock.advance(599_000);
    expect(hub.http.sent).toHaveLength(1);
    hub.http.serve(() => ({ status: 200 }));
    await hub.clock.advance(2_000);
    expect(hub.http.sent).toHaveLength(2);
  });

  it('that answers 410 is disabled, and what failed is recovered when it is active again', async () => {
    const trigger = await setTrigger();
    hub.http.expect('POST', '/hooks').reply(410);
    await reply('r-1');
    await hub.drain();
    expect(await stateOf(trigger)).toMatchObject({ state: 'disabled', active: false });
    expect(hub.events.published).toMatchObject([{ type: 'triggers.disabled', payload: { reason: 'gone' } }]);
    await reply('r-2');
    await hub.drain();
    expect(hub.http.sent).toHaveLength(1);
    const params = { id: trigger.id };
    const since = { since: '2026-01-01T00:00:00Z' };
    expect(await hub.route('recover', { params, body: since })).toMatchObject({ status: 409 });
    await hub.route('change', { params, body: { active: true } });
    hub.http.serve(() => ({ status: 200 }));
    expect(await hub.route('recover', { params, body: since })).toMatchObject({ body: { recovered: 2 } });
    await hub.drain();
    expect(hub.http.sent).toHaveLength(3);
    expect((await log(trigger)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('that is disabled sends nothing again until it is active', async () => {
    const trigger = await setTrigger();
    hub.http.expect('POST', '/hooks').reply(410);
    await reply('r-1');
    await hub.drain();
    const [{ id: delivery }] = (await log(trigger)) as [Logged];
    const again = () => hub.route('retry', { params: { id: trigger.id, delivery } });
    expect(await again()).toMatchObject({ status: 409, body: { error: 'trigger_disabled' } });
    await hub.route('change', { params: { id: trigger.id }, body: { active: true } });
    hub.http.expect('POST', '/hooks').reply(204);
    expect(await again()).toMatchObject({ status: 202 });
    await hub.drain();
    expect(await log(trigger)).toMatchObject([{ state: 'delivered' }]);
  });

  it('recovers what failed behind however much was delivered, in as many calls as it takes', async () => {
    const trigger = await setTrigger();
    const landed = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
    const ended = Array.from({ length: 2_001 }, (_, n): Delivery => {
      const [id, now] = [deliveryId(landed(n), `o${n}`), landed(n)];
      const usual = { message_id: `m${n}`, event: 'reply.received', entity_id: ADA, body: '{}', attempts: [] };
      return { ...usual, id, state: n < 2_000 ? 'delivered' : 'failed', failures: 0, next_at: now, created_at: now };
    });
    for (let n = 0; n < ended.length; n += 400) await settle(hub.store, trigger.id, ended.slice(n, n + 400));
    const recover = async (since: string) =>
      (await hub.route('recover', { params: { id: trigger.id }, body: { since } })).body as unknown as Recovered;
    const first = await recover(landed(0));
    expect(first).toMatchObject({ recovered: 0, has_more: true, next_since: landed(1_999) });
    expect(await recover(first.next_since!)).toMatchObject({ recovered: 1, has_more: false, next_since: null });
  });

  it.each(['5', 'Monday 5', '2026-13-45', 'yesterday', '+275760-09-13T00:00:00Z', ''])(
    'recovers since a time alone: %s is none',
    async since => {
      const { id } = await setTrigger();
      const { status, body } = await hub.route('recover', { params: { id }, body: { since } });
      expect([status, body]).toMatchObject([
        400,
        { detail: expect.stringMatching(/^since must be an ISO 8601 time such/) },
      ]);
    },
  );

  it('shows an answer and a payload that end where a sign of two halves would be cut', async () => {
    const trigger = await setTrigger({ events: ['reply.received'] });
    await hub.graph.record(ADA, [{ kind: 'state', property: 'name', value: `${'a'.repeat(299)}😀` }]);
    hub.http.expect('POST', '/hooks').reply(500, `${'b'.repeat(999)}😀`);
    await reply(`${'c'.repeat(2_000)}`);
    await hub.drain();
    const [delivery] = (await log(trigger)) as [Logged];
    expect(delivery.attempts[0]!.response).toHaveLength(999);
    expect(JSON.stringify(delivery)).not.toMatch(/\\ud[89a-f]/i);
    expect(hub.http.sent[0]!.body).not.toMatch(/\\ud[89a-f]/i);
  });

  it('is one of fifty, also when many are set at once, and none that was set is passed over', async () => {
    const body = { url: URL, events: ['reply.received'] };
    const answers = await Promise.all(Array.from({ length: 80 }, () => hub.route('create', { body })));
    const made = answers.filter(({ status }) => status === 201);
    const { triggers } = (await hub.route('list')).body as unknown as { triggers: Trigger[] };
    expect(made.length).toBeLessThanOrEqual(50);
    expect(triggers).toHaveLength(made.length);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: { error: 'too_many_triggers' },
    });
  });

  it('keeps what lands while it is paused', async () => {
    const trigger = await setTrigger();
    await hub.route('change', { params: { id: trigger.id }, body: { active: false } });
    await reply('r-1');
    await hub.drain();
    expect(hub.http.sent).toHaveLength(0);
    hub.http.serve(() => ({ status: 200 }));
    await hub.route('change', { params: { id: trigger.id }, body: { active: true } });
    await hub.drain();
    expect(hub.http.sent).toHaveLength(1);
  });

  it('signs with two secrets while it is given a new one', async () => {
    const trigger = await setTrigger();
    hub.http.serve(() => ({ status: 200 }));
    await hub.route('rotate', { params: { id: trigger.id }, body: { overlap_hours: 1 } });
    await hub.route('test', { params: { id: trigger.id } });
    await hub.clock.advance('2h');
    await hub.route('test', { params: { id: trigger.id } });
    const signatures = hub.http.sent.map(({ headers }) => headers['webhook-signature']!.split(' ').length);
    expect(signatures).toEqual([2, 1]);
  });

  it('is refused with a sentence', async () => {
    const refused = async (body: object) =>
      (await hub.route('create', { body: { url: URL, events: ['reply.received'], ...body } as never })).body;
    expect(await refused({ url: 'ftp://example.org' })).toMatchObject({ error: 'invalid_url' });
    expect(await refused({ events: ['reply.sent'] })).toMatchObject({ error: 'unknown_event:reply.sent' });
    expect(await refused({ headers: { Host: 'x' } })).toMatchObject({ error: 'invalid_headers' });
    expect(await refused({ events: ['interaction.email_received'] })).toMatchObject({
      trigger: { events: ['reply.received'] },
    });
  });

  it('remembers what was sent for thirty days', async () => {
    const trigger = await setTrigger();
    hub.http.expect('POST', '/hooks').reply(204);
    await reply('r-1');
    await hub.drain();
    await hub.clock.advance('29d');
    expect(await log(trigger)).toMatchObject([{ state: 'delivered' }]);
    await hub.clock.advance('2d');
    expect(await log(trigger)).toEqual([]);
  });

  it('leaves nothing behind when it is deleted', async () => {
    const trigger = await setTrigger();
    hub.http.expect('POST', '/hooks').reply(500);
    await reply('r-1');
    await hub.drain();
    await hub.route('remove', { params: { id: trigger.id } });
    await hub.drain();
    expect(Object.keys(hub.store.entries())).toEqual(['told:observation-1']);
  });

  it('shows no secret but once, and none in the log', async () => {
    const trigger = await setTrigger({ headers: { authorization: 'Bearer s3cr3t-token' } });
    hub.http.expect('POST', '/hooks').reply(500, 'you sent Bearer s3cr3t-token');
    await reply('r-1');
    await hub.drain();
    const seen = JSON.stringify([await hub.route('list'), await log(trigger), hub.logs]);
    expect(seen).not.toContain('s3cr3t');
    expect(seen).not.toContain(trigger.secret);
    expect(seen).toContain('you sent [hidden]');
  });
});

describe('the contract', () => {
  for (const check of conformance(TriggersPlugin, manifest, fixtures)) it(check.name, check.run);
});
