import { Injectable, Module } from '@nestjs/common';
import {
  type HubContext,
  type InboundDelivery,
  Lifecycle,
  OnInbound,
  OnJob,
  OnRoute,
  PermanentError,
} from '#sdk/index.js';
import type {
  ConnectionLifecycle,
  MigratedValues,
  PluginJob,
  PluginManifest,
  StoredValues,
  TestResult,
  RouteResponse,
  RouteRequest,
} from '#sdk/index.js';
import { testHub, type TestHub } from '#sdk/testing/index.js';

const manifest = {
  id: 'polls',
  displayName: 'Polls',
  description: 'Looks again and again.',
  sdk: '^1.0.0',
  minPlan: 'growth',
  settings: { type: 'object', properties: { step: { type: 'integer', default: 5 } } },
  jobs: { poll: { everyMs: 3_600_000 }, later: {} },
  inbound: {
    hooks: {
      signature: {
        algorithm: 'hmac-sha256',
        header: 'x-signature',
        secretFrom: 'generated',
        signed: 'v0:{timestamp}:{body}',
        timestampHeader: 'x-time',
      },
      handshake: { method: 'POST', when: { field: 'type', equals: 'verify' }, echo: 'challenge' },
      eventId: { field: 'event.id' },
    },
  },
  routes: {
    upload: {
      method: 'POST',
      path: 'rows',
      auth: 'workspace',
      upload: { maxBytes: 20, contentTypes: ['text/csv'] },
    },
    add: {
      method: 'POST',
      path: 'add',
      auth: 'workspace',
      body: { type: 'object', required: ['email'], properties: { email: { type: 'string' } } },
    },
  },
} as const satisfies PluginManifest;

@Injectable()
class Polls {
  @OnJob('poll')
  async poll(_job: PluginJob, hub: HubContext<object, { step: number }>): Promise<void> {
    await hub.store.put('polled', hub.clock.now().toISOString());
    await hub.jobs.emit('later', { step: hub.settings.step }, { delayMs: 60_000, key: 'one' });
  }

  @OnJob('later')
  async later({ data }: PluginJob<{ step: number }>, hub: HubContext): Promise<void> {
    await hub.store.put('later', data);
  }

  @OnInbound('hooks')
  async hooks({ id, json, headers }: InboundDelivery, hub: HubContext): Promise<void> {
    await hub.store.put('hook', { id, json: json ?? null, at: headers['x-time'] ?? '' });
  }

  @OnRoute('upload')
  async upload({ upload }: RouteRequest, hub: HubContext): Promise<RouteResponse> {
    let text = '';
    for await (const chunk of upload!.stream) text += Buffer.from(chunk).toString();
    const rows = text.trim().split('\n');
    const answers = await hub.graph.people.upsert(
      rows.map(email => ({ email, title: 'CFO' })),
      { importId: 'i-1' },
    );
    return { status: 202, body: { rows: answers.length } };
  }

  @OnRoute('add')
  async add({ body }: RouteRequest<{ email: string }>, hub: HubContext): Promise<RouteResponse> {
    const { entity_created } = await hub.graph.record(body!.email, [
      { kind: 'state', property: 'title', value: 'CEO' },
    ]);
    return { body: { created: entity_created } };
  }
}

@Lifecycle()
@Injectable()
class PollsConnection implements ConnectionLifecycle {
  async test(): Promise<TestResult> {
    return { outcome: 'ok', message: 'There is nothing to test.' };
  }

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {}

  migrate({ settings: { pace }, credentials }: StoredValues): MigratedValues {
    return { settings: { step: pace!, colour: 'red' }, credentials };
  }
}

@Module({ providers: [Polls, PollsConnection] })
class PollsPlugin {}

let hub: TestHub;
beforeEach(async () => (hub = await testHub(PollsPlugin, manifest)));
afterEach(() => hub.close());

describe('the harness', () => {
  it('runs what has become due when the clock moves, and nothing before', async () => {
    await hub.clock.advance('59m');
    expect(hub.store.entries()).toEqual({});
    await hub.clock.advance('1m');
    expect(hub.store.entries()).toEqual({ polled: '2026-01-05T13:00:00.000Z' });
    expect(hub.jobs.waiting).toMatchObject([{ name: 'later', data: { step: 5 }, key: 'one' }]);
    await hub.drain();
    expect(hub.jobs.waiting).toHaveLength(1);
    await hub.clock.advance('90s');
    expect(await hub.store.get('later')).toEqual({ step: 5 });
  });

  it('signs, reads the id of the event, answers handshakes and refuses what is signed wrongly', async () => {
    expect(await hub.inbound('hooks', { event: { id: 'e-7' } })).toEqual({ status: 200, delivered: true });
    expect(hub.store.entries()).toMatchObject({ hook: { id: 'e-7', at: '1767614400' } });
    const hello = { type: 'verify', challenge: 'abc' };
    expect(await hub.inbound('hooks', hello)).toEqual({ status: 200, delivered: false, body: 'abc' });
    expect(await hub.inbound('hooks', hello, { signed: false })).toEqual({ status: 401, delivered: false });
    const late = await hub.inbound('hooks', {}, { headers: { 'x-time': '1' } });
    expect(late.status).toBe(401);
  });

  it('applies the scopes of routes', async () => {
    expect(await hub.route('add', { body: {} })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await hub.route('add', { body: { email: 'ada@example.org' }, scopes: ['read'] })).toMatchObject({
      status: 403,
    });
    expect(await hub.route('add', { body: { email: 'Ada@example.org' } })).toEqual({
      status: 200,
      body: { created: true },
    });
    expect(await hub.route('add', { body: { email: 'ada@example.org' } })).toEqual({
      status: 200,
      body: { created: false },
    });
    const upload = (text: string, contentType = 'text/csv') => hub.route('upload', { upload: { contentType, text } });
    expect(await upload('a@b.io\nc@d.io\n')).toEqual({ status: 202, body: { rows: 2 } });
    expect(await upload('x', 'text/html')).toMatchObject({ status: 415 });
    expect(await upload('x'.repeat(21))).toMatchObject({ status: 413 });
    hub.plan = 'starter';
    expect(await upload('a@b.io')).toEqual({ status: 404, body: { error: 'not_found' } });
  });

  it('has a graph that knows people by any identifier, and claims', async () => {
    await hub.graph.people.upsert([
      { email: 'ada@example.org', linkedin_url: 'https://linkedin.com/in/ada', name: 'Ada B' },
    ]);
    await hub.graph.record('https://www.linkedin.com/in/ada/', [{ kind: 'state', property: 'title', value: 'CFO' }]);
    expect(await hub.graph.find('ada b')).toMatchObject({
      status: 'one',
      entity: { title: 'CFO', email: 'ada@example.org' },
    });
    await hub.clock.advance('1d');
    await hub.graph.record('ada@example.org', [{ kind: 'state', property: 'title', value: null }]);
    expect(await hub.graph.find('ada@example.org')).toMatchObject({ status: 'one', entity: { title: null } });
    expect(hub.timeline('ada@example.org').map(({ value }) => value)).toEqual([null, 'CFO']);
    expect(await hub.graph.find('nobody@example.org')).toBeNull();
    await expect(hub.graph.record('Ada B', [])).rejects.toThrow(PermanentError);
    await expect(hub.graph.record('a@b.io', [{ kind: 'event', property: 'call_held' }])).rejects.toThrow(
      'interaction.',
    );
  });

  it('has a graph that knows companies by any identifier', async () => {
    const page = 'https://www.linkedin.com/company/acme';
    const first = { external_id: 'co-1', domain: 'acme.example', linkedin_url: page, name: 'Acme', employees: 12 };
    const [created, again, nameless] = await hub.graph.companies.upsert([
      first,
      { linkedin_url: page, employees: 20 },
      { name: 'Nobody' },
    ]);
    expect(created).toMatchObject({ created: true, matched_by: null, recorded: 1 });
    expect(again).toMatchObject({ created: false, matched_by: 'linkedin', recorded: 1 });
    expect(nameless).toMatchObject({ field: 'domain' });
    expect(await hub.graph.find('acme.example')).toMatchObject({ entity: { type: 'company', name: 'Acme' } });
    const [preview] = await hub.graph.companies.upsert([{ domain: 'new.example' }], { dryRun: true });
    expect(preview).toMatchObject({ created: true });
    expect(await hub.graph.find('new.example')).toBeNull();
  });

  it('has lead lists, in which nobody is twice', async () => {
    const [ada] = await hub.graph.people.upsert([{ email: 'ada@lists.example' }]);
    const entity_id = ada && 'entity_id' in ada ? ada.entity_id : '';
    const list = { name: 'Webinar' };
    expect(await hub.graph.leads.add(list, [{ entity_id }], { dryRun: true })).toEqual({
      list_id: null,
      results: [{ lead_id: null, added: true }],
    });
    expect(hub.graph.leads.lists).toEqual([]);
    const { list_id, results } = await hub.graph.leads.add(list, [
      { entity_id },
      { entity_id },
      { entity_id: 'nobody' },
    ]);
    expect(results).toMatchObject([{ added: true }, { added: false }, { error: expect.any(String) }]);
    expect(hub.graph.leads.lists).toMatchObject([{ id: list_id, name: 'Webinar', leads: [{ entity_id }] }]);
    await expect(hub.graph.leads.add({ id: 'none' }, [])).rejects.toThrow('No lead list has this ID.');
  });

  it('says so when settings do not fit', async () => {
    await expect(testHub(PollsPlugin, manifest, { settings: { step: 'many' } })).rejects.toThrow(
      'The settings of this test do not fit the manifest: /step: must be integer.',
    );
  });

  it('fails at the end when an expected request never came', async () => {
    const other = await testHub(PollsPlugin, manifest);
    other.http.expect('GET', '/v1/me').reply(200);
    await expect(other.close()).rejects.toThrow('The plugin never sent GET /v1/me.');
  });
});

describe('graph.changes of the harness', () => {
  const stated = (value: string, source?: string) =>
    ({ kind: 'state', property: 'title', value, ...(source && { source }) }) as const;

  it('lists claims once, events, and goes on at a cursor without the echo of the plugin', async () => {
    const ada = { external: { system: 'polls', id: '7' } };
    await hub.graph.record(ada, [stated('CFO', 'agent'), stated('CEO', 'agent')]);
    await hub.graph.record(ada, [{ kind: 'event', property: 'interaction.call_held', external_id: 'c-1' }]);
    const page = await hub.graph.changes();
    expect(page).toMatchObject({
      has_more: false,
      changes: [
        { kind: 'claim', property: 'title', value: 'CEO', source: 'agent', external_ids: [ada.external] },
        { kind: 'event', property: 'interaction.call_held', external_id: 'c-1', source: 'polls' },
      ],
    });
    await hub.graph.record(ada, [stated('CTO')]);
    expect((await hub.graph.changes({ after: page.next, notFrom: ['polls'] })).changes).toEqual([]);
    expect((await hub.graph.changes({ after: page.next, limit: 1 })).changes).toMatchObject([{ value: 'CTO' }]);
    expect((await hub.graph.changes({ after: 'latest' })).changes).toEqual([]);
    await expect(hub.graph.changes({ after: 'nonsense' })).rejects.toThrow(PermanentError);
  });
});

describe('migrate of the harness', () => {
  const credentials = {};

  it('gives what the connection then has, and drops what is no longer declared', async () => {
    const stored = { version: '0.9.0', settings: { pace: 7, colour: 'red' }, credentials };
    expect(await hub.migrate(stored)).toEqual({ settings: { step: 7 }, credentials });
  });

  it('fails where users would have to connect again', async () => {
    const stored = { version: '0.9.0', settings: { pace: 'fast' }, credentials };
    await expect(hub.migrate(stored)).rejects.toThrow('/step: must be integer');
  });
});
