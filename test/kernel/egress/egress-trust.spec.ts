import { OPERATOR } from '#domain/actor/actor.js';
import type { HubContext } from '#sdk/hub-context.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { issueKey } from '#kernel/auth/api-keys.service.js';
import { EgressClient } from '#kernel/egress/egress.client.js';
import { EgressRefusedError } from '#kernel/egress/egress-errors.js';
import { HostResolver } from '#kernel/egress/egress-rules.js';
import { embedderAccess } from '#kernel/llm/embedder.js';
import { llmAccess } from '#kernel/llm/llm.client.js';
import { HubContextFactory } from '#plugin-host/context/hub-context.factory.js';
import { AGENTS, type Agent } from '../../fixtures/mcp/agents.js';
import { acmeManifest } from '../../support/plugins/acme-plugin.js';
import { type FakeWeb, startFakeWeb } from '../../fakes/fake-web.js';
import type { ErrorBody } from '../../support/graph/graph-calls.js';
import { type Client, clientOf, startTestHub, type TestHub } from '../../support/hub.js';
import { BrowserUser } from '../../support/network/browser-user.js';
import { PLUGINS_DIR } from '../../plugins/calcom/calcom.fixture.js';

/** Servers inside the network, each opened by a setting for one purpose; `EGRESS_ALLOWLIST` opens the last one by name. */
const PURPOSES = ['language model', 'embedder', 'calendar', 'operator'] as const;
type Purpose = (typeof PURPOSES)[number];

/** Spellings of one loopback address, and a name that resolves to it. */
const LOOPBACK = ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'inside.example'];
const ALLOWED_NAME = 'localhost';
const UNALLOWED = PURPOSES.flatMap(purpose => LOOPBACK.map(host => [purpose, host] as const));

const TRIGGERS = '/v2/plugins/triggers/triggers';
const INTEGRATIONS = '/v2/workspace/integrations';
/** The embedded PostgreSQL has no pgvector, without which a hub with an embedder does not start. */
const hasVectors = process.env['RAPPORT_TEST_LANE'] === 'services';

let hub: TestHub;
let servers: Record<Purpose, FakeWeb>;
let acme: Client;
let agent: Agent;

beforeAll(async () => {
  const all = await Promise.all(PURPOSES.map(() => startFakeWeb((_, response) => response.end('{"secret":"inside"}'))));
  servers = Object.fromEntries(PURPOSES.map((purpose, i) => [purpose, all[i]])) as Record<Purpose, FakeWeb>;
  hub = await startTestHub({
    PLUGINS_DIR,
    LLM_URL: `${servers['language model'].url}/v1`,
    LLM_MODEL: 'small',
    CALENDAR_API_URL: servers.calendar.url,
    ...(hasVectors && { EMBEDDINGS_URL: servers.embedder.url, EMBEDDINGS_MODEL: 'small' }),
    EGRESS_ALLOWLIST: ALLOWED_NAME,
  });
  const resolver = hub.app.get(HostResolver, { strict: false });
  const bySystem = resolver.resolve;
  resolver.resolve = (hostname, found) => {
    if (hostname === 'inside.example') return found(null, [{ address: '127.0.0.1', family: 4 }]);
    if (hostname === 'unresolved.example') return found(Object.assign(new Error('later'), { code: 'EAI_AGAIN' }), []);
    return bySystem(hostname, found);
  };
  acme = await hub.workspace();
  const internal = {
    name: 'Internal',
    scopes: ['read', 'write', 'settings', 'internal'],
    origin: 'admin',
    createdBy: OPERATOR,
  } as const;
  const { key } = await hub.database.work.system(tx => issueKey(tx, acme.workspaceId, internal));
  agent = await AGENTS[0]![1](new URL('/mcp', hub.url), key);
});
afterAll(async () => {
  await agent?.close();
  await hub?.end();
  await Promise.all(Object.values(servers ?? {}).map(server => server.close()));
});
beforeEach(() => Object.values(servers).forEach(({ seen }) => seen.splice(0)));

const urlOf = (purpose: Purpose, host: string, scheme = 'http') => `${scheme}://${host}:${servers[purpose].port}/x`;
const requestsSeen = () => Object.values(servers).reduce((sum, { seen }) => sum + seen.length, 0);

/** What a plugin gets as its `hub.http`, as it is when a stored address is used. */
function httpOf(id: string): HubContext['http'] {
  const manifest: PluginManifest = { ...acmeManifest, id };
  const { signal } = new AbortController();
  const contexts = hub.app.get(HubContextFactory, { strict: false });
  return contexts.createHub({ workspaceId: acme.workspaceId, plugin: { manifest }, connection: null, signal }).http;
}

describe.each([...UNALLOWED, ['operator', ALLOWED_NAME] as const])(
  'the server of the %s, written as %s,',
  (purpose, host) => {
    it.each(['http', 'https'])('is refused when a trigger is created with %s, by name of the field', async scheme => {
      const url = urlOf(purpose, host, scheme);
      const { status, body } = await acme.post<ErrorBody>(TRIGGERS, { url, events: ['reply.received'] });
      expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_url' } });
      expect(body.detail).toMatch(/^url .*https/);
      expect(requestsSeen()).toBe(0);
    });

    it('is refused when a trigger is changed', async () => {
      const made = await acme.post<{ trigger: { id: string; url: string } }>(TRIGGERS, {
        url: 'https://8.8.8.8/hooks',
        events: ['reply.received'],
      });
      const own = `${TRIGGERS}/${made.body.trigger.id}`;
      const changed = await acme.patch<ErrorBody>(own, { url: urlOf(purpose, host) });
      expect(changed).toMatchObject({ status: 400, body: { error: 'invalid_url' } });
      expect((await acme.get<typeof made.body>(own)).body.trigger.url).toBe('https://8.8.8.8/hooks');
      await acme.delete(own);
      expect(requestsSeen()).toBe(0);
    });

    it('is refused by the tool set_trigger and by POST /v2/workspace/triggers', async () => {
      const input = { url: urlOf(purpose, host), events: ['reply.received'] };
      const called = await agent.call('set_trigger', input);
      expect(called).toMatchObject({ isError: true, text: expect.stringMatching(/invalid_url: url /) });
      expect(await acme.post('/v2/workspace/triggers', input)).toMatchObject({ status: 400 });
      expect(requestsSeen()).toBe(0);
    });

    it('is not called by a trigger that was stored before', async () => {
      const request = { method: 'POST', url: urlOf(purpose, host), json: {} } as const;
      await expect(httpOf('triggers').request(request)).rejects.toMatchObject({ name: 'UnreachableError' });
      expect(requestsSeen()).toBe(0);
    });

    it('is not fetched as the document of an OAuth client', async () => {
      for (const scheme of ['http', 'https']) {
        const client_id = urlOf(purpose, host, scheme);
        const shown = await new BrowserUser(hub.url, hub.url).open(
          `/oauth/authorize?${new URLSearchParams({
            response_type: 'code',
            client_id,
            redirect_uri: 'http://localhost:3118/callback',
            code_challenge: 'x'.repeat(43),
            code_challenge_method: 'S256',
          })}`,
        );
        expect(shown.status).toBe(400);
      }
      expect(requestsSeen()).toBe(0);
    });
  },
);

describe.each(UNALLOWED)(
  'the server of the %s, written as %s, for a plugin that it was not opened for,',
  (purpose, host) => {
    it('is not called', async () => {
      const request = { url: urlOf(purpose, host) };
      await expect(httpOf('acme').request(request)).rejects.toMatchObject({ name: 'UnreachableError' });
      if (purpose !== 'calendar')
        await expect(httpOf('calcom').request(request)).rejects.toMatchObject({ name: 'UnreachableError' });
      expect(requestsSeen()).toBe(0);
    });
  },
);

describe.each(UNALLOWED.filter(([purpose]) => purpose !== 'calendar'))(
  'the server of the %s, written as %s, as the setting of a connection',
  (purpose, host) => {
    const request = () => ({
      provider: 'calcom',
      credentials: { api_key: 'cal_test' },
      settings: { api_url: urlOf(purpose, host) },
    });
    const refusal = {
      error: 'invalid_request',
      details: [{ field: 'settings.api_url', message: expect.stringMatching(/^settings\.api_url .*https/) }],
    };

    it('is refused over REST, when it is connected and when it is tested', async () => {
      expect(await acme.post(INTEGRATIONS, request())).toMatchObject({ status: 400, body: refusal });
      const { provider, ...tried } = request();
      expect(await acme.post(`${INTEGRATIONS}/${provider}/test`, tried)).toMatchObject({ status: 400, body: refusal });
      expect(requestsSeen()).toBe(0);
    });

    it('is refused by the tool connect_integration', async () => {
      for (const more of [{}, { dry_run: true }]) {
        const called = await agent.call('connect_integration', { ...request(), ...more });
        expect(called).toMatchObject({ isError: true, text: expect.stringContaining('settings.api_url') });
      }
      expect(requestsSeen()).toBe(0);
    });
  },
);

it('a setting opens its server for the purpose that it was set for', async () => {
  expect((await httpOf('calcom').request({ url: `${servers.calendar.url}/v2/me` })).status).toBe(200);
  expect(servers.calendar.seen).toHaveLength(1);
});

it('EGRESS_ALLOWLIST opens a host for plugins, and triggers do not reuse the connection that stays open', async () => {
  const url = urlOf('operator', ALLOWED_NAME);
  expect((await httpOf('acme').request({ url })).status).toBe(200);
  await expect(httpOf('triggers').request({ url })).rejects.toMatchObject({ name: 'UnreachableError' });
  expect(servers.operator.seen).toHaveLength(1);
});

it.each([
  ['language model', llmAccess],
  ['embedder', embedderAccess],
] as const)('the client of the %s calls nothing but its origin', async (purpose, accessFor) => {
  const client = new EgressClient(
    accessFor({ url: `${servers[purpose].url}/v1`, model: 'small', apiKey: undefined, dimensions: undefined }),
  );
  for (const other of PURPOSES.filter(each => each !== purpose))
    await expect(client.send({ url: `${servers[other].url}/v1` })).rejects.toBeInstanceOf(EgressRefusedError);
  await expect(client.send({ url: 'https://8.8.8.8/' })).rejects.toBeInstanceOf(EgressRefusedError);
  expect((await client.send({ url: `${servers[purpose].url}/v1` })).status).toBe(200);
  await client.close();
  expect(requestsSeen()).toBe(1);
});

describe('a host that cannot be resolved', () => {
  it('is accepted for a trigger, which then is not delivered', async () => {
    const given = { url: 'https://unresolved.example/hooks', events: ['reply.received'] };
    const made = await acme.post<{ trigger: { id: string } }>(TRIGGERS, given);
    expect(made.status).toBe(201);
    const own = `${TRIGGERS}/${made.body.trigger.id}`;
    expect(await acme.post(`${own}/test`, {})).toMatchObject({ body: { delivered: false } });
    await acme.delete(own);
  });

  it('is reported by a connection as unreachable, not as forbidden', async () => {
    const request = {
      provider: 'calcom',
      credentials: { api_key: 'cal_test' },
      settings: { api_url: 'https://unresolved.example' },
    };
    expect(await acme.post(INTEGRATIONS, request)).toMatchObject({
      status: 502,
      body: { error: 'provider_unreachable' },
    });
  });
});

it('a key with the scope settings alone reads nothing of the model server through a trigger', async () => {
  const key = await hub.database.work.system(tx =>
    issueKey(tx, acme.workspaceId, { name: 'Settings', scopes: ['settings'], origin: 'admin', createdBy: OPERATOR }),
  );
  const writer = clientOf(hub.url, key.key, acme.workspaceId);
  const url = `${servers['language model'].url}/v1/chat/completions`;
  const made = await writer.post<{ trigger?: { id: string } }>(TRIGGERS, { url, events: ['reply.received'] });
  if (made.body.trigger) await writer.post(`${TRIGGERS}/${made.body.trigger.id}/test`, {});
  expect(requestsSeen()).toBe(0);
  expect(made).toMatchObject({ status: 400, body: { error: 'invalid_url' } });
});
