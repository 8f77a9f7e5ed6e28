import { AGENTS, type Agent } from '../../fixtures/mcp/agents.js';
import { FOR_AGENTS, ON_STARTER, SEVENTEEN } from '../../fixtures/mcp/tool.cases.js';
import { type Client, clientOf, startTestHub, type TestHub } from '../../support/hub.js';

const SOME_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** The tools that set the workspace up, with arguments that they accept. */
const SETUP_CALLS = {
  set_workspace_profile: { name: 'Changed by an agent' },
  build_icp_model: { description: '50 to 500 employees', force: true },
  connect_integration: { plugin: 'calcom', credentials: { api_key: 'cal_live_stolen' } },
  configure_crm_sync: {},
};

/** Writes over REST that the scope guards, as the counterparts of the tools and the settings that have none. */
const SETUP_WRITES: readonly (readonly [method: 'post' | 'delete', path: string, body: object])[] = [
  ['post', '/v2/workspace/onboarding', { name: 'Changed by an agent' }],
  ['post', '/v2/workspace/facts', { section: 'pricing', content: 'free' }],
  ['post', '/v2/workspace/scoring-model', { description: '50 to 500 employees' }],
  ['post', '/v2/workspace/trust', { trust: [{ match: 'agent', r: 1, class: 'stated' }] }],
  ['post', '/v2/workspace/integrations', { plugin: 'calcom', credentials: { api_key: 'cal_live_stolen' } }],
  ['post', '/v2/workspace/integrations/calcom/test', {}],
  ['delete', '/v2/workspace/integrations/calcom', {}],
  ['post', '/v2/workspace/triggers', { url: 'https://example.com/', events: ['reply.received'] }],
  ['delete', `/v2/workspace/triggers/${SOME_ID}`, {}],
  ['post', `/v2/workspace/triggers/${SOME_ID}/rotate-secret`, {}],
  ['post', `/v2/workspace/triggers/${SOME_ID}/test`, {}],
  ['post', '/v2/workspace/crm-sync', {}],
  ['post', '/v2/plugins/triggers/triggers', { url: 'https://example.com/', events: ['reply.received'] }],
  ['post', '/v2/api-keys', { name: 'another' }],
  ['delete', `/v2/api-keys/${SOME_ID}`, {}],
];

let hub: TestHub;
let acme: Client;
let agentKey: string;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace('growth');
  agentKey = (await acme.post<{ key: string }>('/v2/api-keys', { name: 'agent' })).body.key;
});
afterAll(() => hub.end());

describe.each(AGENTS)('%s without the scope settings', (_name, connect) => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await connect(new URL('/mcp', hub.url), agentKey);
  });
  afterAll(() => agent.close());

  it('lists the setup tools', async () => {
    const names = (await agent.tools()).map(({ name }) => name).filter(name => SEVENTEEN.includes(name));
    expect(names).toEqual(FOR_AGENTS);
  });

  it.each(Object.entries(SETUP_CALLS))('gets from %s the missing scope and who can grant it', async (name, args) => {
    const { isError, text } = await agent.call(name, args);
    expect(isError).toBe(true);
    expect(text).toMatch(/^forbidden_scope: .*"settings".*An admin of the workspace can grant it.*Do not retry/);
    expect(text).toContain(name);
  });
});

it('a starter workspace lists fourteen tools to an agent, and a reader lists no setup tools', async () => {
  const starter = await hub.workspace('starter');
  const list = async (scopes: string[]): Promise<string[]> => {
    const { body } = await starter.post<{ key: string }>('/v2/api-keys', { name: 'agent', scopes });
    const agent = await AGENTS[0]![1](new URL('/mcp', hub.url), body.key);
    const names = (await agent.tools()).map(({ name }) => name).filter(name => SEVENTEEN.includes(name));
    await agent.close();
    return names;
  };
  expect(await list(['read', 'write'])).toEqual(ON_STARTER);
  expect(await list(['read'])).not.toContain('set_workspace_profile');
});

it.each(SETUP_WRITES)('%s %s is refused to an agent', async (method, path, body) => {
  const agent = clientOf(hub.url, agentKey);
  const answer = await (method === 'post' ? agent.post<object>(path, body) : agent.delete<object>(path));
  expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden_scope', scope: 'settings' } });
});

it('nothing that was refused has changed', async () => {
  const facts = (await acme.get<{ sections: object }>('/v2/workspace/facts')).body;
  expect(JSON.stringify(facts)).not.toContain('Changed by an agent');
  expect(Object.keys(facts.sections)).toEqual([]);
});
