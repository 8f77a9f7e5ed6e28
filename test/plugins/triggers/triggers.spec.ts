import { Receiver } from '../../fakes/receiver.js';
import { type FakeWeb, startFakeWeb } from '../../fakes/fake-web.js';
import { event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';
import { storeCases } from '../../plugin-host/store/plugin-store.cases.js';
import { addressCases, ALLOWED } from './addresses.cases.js';
import { doorCases } from './routes.cases.js';
import { toolCases } from './tools.cases.js';

let hub: TestHub;
let receiver: Receiver;
let canary: FakeWeb;
let acme: Client;
let paths = 0;

const TRIGGERS = '/v2/plugins/triggers/triggers';

interface Trigger {
  readonly id: string;
  readonly secret: string;
  readonly state: string;
  readonly url: string;
}

interface Logged {
  readonly id: string;
  readonly state: string;
  readonly payload: string;
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[];
}

interface Sent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly observation: { readonly id: string; readonly value: { readonly n: number } };
    readonly entity: { readonly id: string; readonly email: string };
    readonly claims: Record<string, object>;
  };
}

beforeAll(async () => {
  [receiver, canary] = await Promise.all([Receiver.start(), startFakeWeb()]);
  // By name alone: the address that the name resolves to stays forbidden where it is written as an address.
  hub = await startTestHub({ TRIGGERS_EGRESS_ALLOWLIST: `localhost, ${ALLOWED}` });
  acme = await hub.workspace('starter');
});
afterAll(async () => {
  await Promise.all([receiver?.close(), canary?.close()]);
  await hub?.end();
});

async function setTrigger(client: Client = acme, more: object = {}): Promise<Trigger & { path: string }> {
  const path = `/in-${++paths}`;
  const body = { url: receiver.url(path), events: ['reply.received'], ...more };
  const answer = await client.post<{ trigger: Trigger }>(TRIGGERS, body);
  expect(answer.status).toBe(201);
  receiver.secrets.set(path, answer.body.trigger.secret);
  return { ...answer.body.trigger, path };
}

const remove = (trigger: Trigger, client: Client = acme) => client.delete(`${TRIGGERS}/${trigger.id}`);
const reply = (email: string, n = 0, more: object = {}, client: Client = acme) =>
  record(client, email, [event('email_replied', { value: { description: `no ${n}`, n }, ...more })]);
const logOf = async ({ id }: Trigger, client: Client = acme) =>
  (await client.get<{ deliveries: Logged[] }>(`${TRIGGERS}/${id}/deliveries`)).body.deliveries;
const read = async ({ id }: Trigger) => (await acme.get<{ trigger: Trigger }>(`${TRIGGERS}/${id}`)).body.trigger;
const arrived = (path: string, count: number) =>
  until(`${count} at ${path}`, () => receiver.at(path).length >= count && receiver.at(path));

it('a recorded observation is delivered once, with its entity, signed', async () => {
  const trigger = await setTrigger();
  await record(acme, 'ada@first.example', [state('title', 'CFO'), state('name', 'Ada Byron')]);
  await reply('ada@first.example', 1, { external_id: 'once' });
  await reply('ada@first.example', 1, { external_id: 'once' });
  await record(acme, 'ada@first.example', [
    event('email_sent'),
    event('linkedin_message', { value: { direction: 'inbound' } }),
  ]);
  const [first, second] = await arrived(trigger.path, 2);
  const message = receiver.verified<Sent>(trigger.path, first!);
  expect(message).toMatchObject({
    type: 'reply.received',
    data: {
      observation: { property: 'interaction.email_replied', external_id: 'once', value: { n: 1 } },
      entity: { type: 'person', name: 'Ada Byron', email: 'ada@first.example', title: 'CFO' },
      claims: { title: { value: 'CFO', confidence: expect.any(Number), freshness: 'fresh' } },
    },
  });
  expect(receiver.verified<Sent>(trigger.path, second!).data.observation).toMatchObject({
    property: 'interaction.linkedin_message',
  });
  await until('both are in the log', async () => (await logOf(trigger)).every(({ state }) => state === 'delivered'));
  expect(receiver.at(trigger.path)).toHaveLength(2);
  await remove(trigger);
});

it('a filter may name a property as it is stated', async () => {
  const trigger = await setTrigger(acme, { filter: { claims: { job_title: { eq: 'cfo' } } } });
  await record(acme, 'alias@first.example', [state('job_title', 'CFO')]);
  await reply('alias@first.example', 1);
  const [message] = await arrived(trigger.path, 1);
  expect(receiver.verified<Sent>(trigger.path, message!).data.claims).toMatchObject({ title: { value: 'CFO' } });
  await remove(trigger);
});

it('imports tell nothing, whatever they bring', async () => {
  const trigger = await setTrigger();
  const past = ['import', 'backfill'].map((method, n) => event('email_replied', { method, value: { n } }));
  await record(acme, 'past@quiet.example', past);
  await reply('past@quiet.example', 7);
  const seen = await arrived(trigger.path, 1);
  expect(seen.map(each => receiver.verified<Sent>(trigger.path, each).data.observation.value.n)).toEqual([7]);
  await remove(trigger);
});

it('what is about one entity comes in its order, however many come at once', async () => {
  const trigger = await setTrigger();
  const people = ['a', 'b', 'c', 'd'].map(name => `${name}@order.example`);
  const each = 12;
  await Promise.all(
    people.map(async person => {
      for (let n = 0; n < each; n++) await reply(person, n);
    }),
  );
  const seen = await arrived(trigger.path, people.length * each);
  const messages = seen.map(one => receiver.verified<Sent>(trigger.path, one));
  for (const person of people) {
    const own = messages.filter(({ data }) => data.entity.email === person);
    expect(own.map(({ data }) => data.observation.value.n)).toEqual(Array.from({ length: each }, (_, n) => n));
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(people.length * each);
  await remove(trigger);
});

it('a dead endpoint is tried a few times and slows no other', async () => {
  const [dead, mute, well] = [await setTrigger(), await setTrigger(), await setTrigger()];
  receiver.behave(dead.path, { kind: 'status', status: 500 });
  receiver.behave(mute.path, { kind: 'hang' });
  await Promise.all(Array.from({ length: 40 }, (_, n) => reply(`p${n}@many.example`, n)));
  await arrived(well.path, 40);
  // Four failures and as many as are sent side by side then; the rest waits behind the breaker, and behind those that hang.
  expect(receiver.at(dead.path).length).toBeLessThanOrEqual(12);
  expect(receiver.at(mute.path).length).toBeLessThanOrEqual(12);
  expect((await logOf(dead)).every(({ state }) => state === 'waiting')).toBe(true);
  await Promise.all([dead, mute, well].map(each => remove(each)));
});

describe('a receiver that', () => {
  it.each([
    ['redirects', { kind: 'status', status: 301, headers: { location: '/elsewhere' } }, 301],
    ['fails', { kind: 'status', status: 503 }, 503],
    ['cuts its answer off', { kind: 'truncated' }, null],
    ['hangs up', { kind: 'reset' }, null],
  ] as const)('%s is asked again, by the same id', async (_, mood, status) => {
    const trigger = await setTrigger();
    receiver.behave(trigger.path, mood);
    await reply('faults@example.org', 1);
    const attempt = await until('the first attempt is in the log', async () => (await logOf(trigger))[0]?.attempts[0]);
    expect(attempt.status).toBe(status);
    receiver.behave(trigger.path);
    const [logged] = await logOf(trigger);
    await acme.post(`${TRIGGERS}/${trigger.id}/deliveries/${logged!.id}/retry`, {});
    await until('it is delivered', async () => (await logOf(trigger))[0]?.state === 'delivered');
    expect(new Set(receiver.at(trigger.path).map(({ id }) => id)).size).toBe(1);
    expect(receiver.at('/elsewhere')).toHaveLength(0);
    await remove(trigger);
  });

  it('is gone is disabled at once', async () => {
    const trigger = await setTrigger();
    receiver.behave(trigger.path, { kind: 'status', status: 410 });
    await reply('gone@example.org', 1);
    await until('it is disabled', async () => (await read(trigger)).state === 'disabled');
    await reply('gone@example.org', 2);
    await until('the second is in the log', async () => (await logOf(trigger)).length === 2);
    expect(receiver.at(trigger.path)).toHaveLength(1);
    await remove(trigger);
  });

  it('asks for time gets it', async () => {
    const trigger = await setTrigger();
    receiver.behave(trigger.path, { kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
    await reply('later@example.org', 1);
    await arrived(trigger.path, 1);
    const held = await until('it waits', async () => {
      const shown = (await read(trigger)) as Trigger & { next_try_at: string | null };
      return shown.next_try_at;
    });
    expect(Date.parse(held)).toBeGreaterThan(Date.now() + 3_000_000);
    await remove(trigger);
  });
});

it('a sample is sent at once, and tells what came of it', async () => {
  const trigger = await setTrigger(acme, { format: 'slack' });
  const { body } = await acme.post<object>(`${TRIGGERS}/${trigger.id}/test`, {});
  expect(body).toMatchObject({ delivered: true, delivery: { state: 'delivered', attempts: [{ status: 204 }] } });
  const [seen] = receiver.at(trigger.path);
  expect(receiver.verified(trigger.path, seen!)).toEqual({ text: expect.stringMatching(/^\*Reply received\* · Ada/) });
  await remove(trigger);
});

describe('addresses', () => void addressCases(() => ({ hub, receiver, canary, client: acme })));

describe('the entry points', () => {
  doorCases(() => ({ hub, receiver, client: acme }));

  it('return nothing to an unauthenticated client', async () => {
    const trigger = await setTrigger();
    const outsider = await hub.workspace('starter');
    const own = `${TRIGGERS}/${trigger.id}`;
    const answers = [
      await outsider.get(own),
      await outsider.patch(own, { active: false }),
      await outsider.delete(own),
      await outsider.post(`${own}/rotate-secret`, {}),
      await outsider.post(`${own}/test`, {}),
      await outsider.get(`${own}/deliveries`),
      await outsider.get(`${own}/deliveries/1`),
      await outsider.post(`${own}/deliveries/1/retry`, {}),
      await outsider.post(`${own}/recover`, { since: '2026-01-01' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect((await outsider.get<{ triggers: [] }>(TRIGGERS)).body.triggers).toEqual([]);
    await remove(trigger);
  });

  it.each(['never had', 'no longer has'])('keep no job for a workspace that %s a trigger', async which => {
    const other = await hub.workspace('starter');
    if (which === 'no longer has') {
      const trigger = await setTrigger(other);
      await reply('somebody@example.org', 1, {}, other);
      await arrived(trigger.path, 1);
      await remove(trigger, other);
      await until('what it left is cleared', async () => {
        const rest =
          'SELECT FROM plugin_jobs WHERE workspace_id = $1 UNION ALL SELECT FROM outbox WHERE workspace_id = $1';
        return (await hub.database.pool.query(rest, [other.workspaceId])).rowCount === 0;
      });
    }
    await reply('nobody@example.org', 1, {}, other);
    const received = () => hub.database.pool.query('SELECT FROM outbox WHERE workspace_id = $1', [other.workspaceId]);
    await until('it was looked at', async () => (await received()).rowCount === 0);
    const { rows } = await hub.database.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM plugin_jobs WHERE workspace_id = $1',
      [other.workspaceId],
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('the tools', () => {
  const url = (path: string) => receiver.url(path);
  toolCases(() => ({ hub, url, bodiesAt: path => receiver.at(path).map(({ body }) => JSON.parse(body)) }));
});

describe('the store of a plugin', () => void storeCases(() => ({ hub, workspaceId: acme.workspaceId })));
