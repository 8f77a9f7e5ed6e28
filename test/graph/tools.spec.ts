import { ToolRegistry } from '#kernel/mcp/tool.registry.js';
import { estimateOutputTokens } from '#kernel/mcp/output-budget.js';
import { INSTRUCTIONS } from '#kernel/mcp/server-info.js';
import { AGENTS, type Agent } from '../fixtures/mcp/agents.js';
import {
  expectOneJsonTwice,
  expectRefusalInWords,
  FOR_AGENTS,
  GOOD,
  ON_STARTER,
  SEVENTEEN,
} from '../fixtures/mcp/tool.cases.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { record, state } from '../support/graph/graph-calls.js';

const KNOWN = new Set(SEVENTEEN);

let hub: TestHub;
let acme: Client;
const opened: Agent[] = [];

beforeAll(async () => {
  hub = await startTestHub({ EGRESS_ALLOWLIST: '127.0.0.1', PLUGINS_DIR: 'test/plugins/none' });
  acme = await hub.workspace();
  await record(acme, 'ada@acme.com', [state('name', 'Ada Lovelace'), state('title', 'VP Sales')]);
});
afterAll(async () => {
  await Promise.all(opened.map(agent => agent.close()));
  await hub.end();
});

async function agentOf(key: string, [, connect] = AGENTS[0]!): Promise<Agent> {
  const agent = await connect(new URL('/mcp', hub.url), key);
  opened.push(agent);
  return agent;
}

const all = () =>
  hub.app.get(ToolRegistry, { strict: false }).list({ plan: 'scale', scopes: ['read', 'write', 'admin', 'internal'] });

describe('what agents are offered', () => {
  it('is seventeen tools, of which fifteen or fourteen are for agents', async () => {
    const namesFor = async (client: Client) => (await (await agentOf(client.key)).tools()).map(({ name }) => name);
    expect(all().map(({ name }) => name)).toEqual(SEVENTEEN);
    expect(await namesFor(acme)).toEqual(FOR_AGENTS);
    expect(await namesFor(await hub.workspace('growth'))).toEqual(FOR_AGENTS);
    expect(await namesFor(await hub.workspace('starter'))).toEqual(ON_STARTER);
    expect([FOR_AGENTS.length, ON_STARTER.length]).toEqual([15, 14]);
  });

  it('costs at most 7700 tokens to define, counted as bytes of JSON / 3.6', () => {
    expect(estimateOutputTokens(JSON.stringify(all()))).toBeLessThanOrEqual(7700);
    expect(INSTRUCTIONS.length).toBeLessThanOrEqual(1200);
  });

  it.each([
    ['attention', { limit: 5000 }, 100],
    ['get_account', { id: 'ada@acme.com', limit: 5000 }, 200],
    ['query', { scope: { limit: 5000 } }, 200],
  ])('%s treats a limit above its maximum as the maximum, as REST does', async (name, input, limit) => {
    const { isError, structuredContent } = await (await agentOf(acme.key)).call(name, input);
    expect({ isError: isError ?? false, structuredContent }).toMatchObject({
      isError: false,
      structuredContent: { limit },
    });
  });

  it.each(SEVENTEEN)('%s says what it promises and names only tools that there are', name => {
    const tool = all().find(each => each.name === name)!;
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
    expect([readOnlyHint, destructiveHint, idempotentHint, openWorldHint].map(hint => typeof hint)).toEqual(
      Array.from({ length: 4 }, () => 'boolean'),
    );
    const fields = Object.keys((tool.inputSchema['properties'] ?? {}) as object);
    expect(fields).toContain(readOnlyHint ? 'detail' : 'dry_run');
    expect(tool.outputSchema).toMatchObject({ type: 'object' });
    expect(tool.description).toMatch(/\nExample: \{/);
    const named = tool.description.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
    const verbs = /^(get|set|list|save|search|build|connect|configure)_/;
    expect(SEVENTEEN.some(other => other !== name && tool.description.match(new RegExp(`\\b${other}\\b`)))).toBe(true);
    expect(named.filter(word => verbs.test(word) && !KNOWN.has(word))).toEqual([]);
  });
});

describe('a tool that the plan hides', () => {
  it('says which plan has it; an internal one is not known', async () => {
    const starter = await agentOf((await hub.workspace('starter')).key);
    const hidden = await starter.call('configure_crm_sync', { provider: 'hubspot' });
    expect(hidden).toMatchObject({ isError: true, text: expect.stringMatching(/plan "growth".*Do not retry/) });
    await expect(starter.call('set_trigger', { url: 'https://a.example' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('plugins that are not there', () => {
  it('are named, by tool and over REST', async () => {
    const agent = await agentOf(acme.key);
    const crm = await agent.call('configure_crm_sync', { provider: 'hubspot', autoSync: true });
    expect(crm).toMatchObject({ isError: true, text: expect.stringContaining('does not have the plugin "crm"') });
    expect((await acme.get('/v2/workspace/crm-sync')).body).toMatchObject({
      config: null,
      message: expect.stringContaining('"crm"'),
    });
  });
});

describe.each(AGENTS)('%s', (...agent) => {
  let used: Agent;
  beforeAll(async () => {
    used = await agentOf(acme.key, agent);
  });

  it.each(GOOD)('%s answers one JSON twice: %j', (name, args) => expectOneJsonTwice(used, name, args));

  it.each(FOR_AGENTS)('%s refuses what it does not know, in words', name => expectRefusalInWords(used, name));
});

describe('writing tools', () => {
  it('change nothing in a dry run', async () => {
    const client = await hub.workspace();
    const agent = await agentOf(client.key);
    await agent.call('save_note', { focus: 'new@engine.co.uk', content: 'Hello.', dry_run: true });
    await agent.call('set_workspace_profile', { name: 'Engine', icp: 'Software companies', dry_run: true });
    expect((await client.get('/v2/accounts/new@engine.co.uk')).status).toBe(404);
    expect((await client.get('/v2/notes')).body).toMatchObject({ notes: [] });
    expect((await client.get('/v2/workspace/facts')).body).toMatchObject({ sections: {} });
  });

  it.each(['source', 'external_id'])('take no blank %s', async field => {
    const agent = await agentOf(acme.key);
    const answer = await agent.call('save_note', { focus: 'ada@acme.com', content: 'Ada: hello.', [field]: ' ' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(field) });
  });

  it('change nothing when they are sent twice with the key that the text has at its source', async () => {
    const client = await hub.workspace();
    const agent = await agentOf(client.key);
    const note = { focus: 'ada@engine.co.uk', content: 'Ada: hello.', external_id: 'call-1' };
    const [first, second] = [await agent.call('save_note', note), await agent.call('save_note', note)];
    expect(second.structuredContent).toMatchObject({
      ...(first.structuredContent as object),
      duplicate: true,
      entity_created: false,
    });
    const key = { meta: { 'rapport/idempotencyKey': 'once' } };
    const write = { section: 'notes', content: 'A note of the workspace.' };
    const [one, two] = [
      await agent.call('set_workspace_profile', write, key),
      await agent.call('set_workspace_profile', write, key),
    ];
    expect(two.structuredContent).toEqual(one.structuredContent);
    expect((await client.get('/v2/workspace/facts?section=notes')).body).toMatchObject({ count: 1 });
  });
});

describe('a writing tool that is called again with its key', () => {
  const observation = state('title', 'CRO');
  it.each<[name: string, args: Record<string, unknown>, other: Record<string, unknown>]>([
    ['record', { observations: [observation] }, { observations: [state('title', 'CFO')] }],
    ['record', { text: 'Ada is now CRO.' }, { text: 'Ada is now CFO.' }],
    ['save_note', { content: 'Ada: hello.' }, { content: 'Ada: goodbye.' }],
    ['score', { identifier: 'ada@engine.co.uk' }, { identifier: 'ada@engine.co.uk', explain: true }],
    ['build_icp_model', { description: 'Banks, 50 to 500 employees.' }, { description: 'Software companies.' }],
  ])('answers the same and changes nothing: %s %j', async (name, args, other) => {
    const client = await hub.workspace();
    await record(client, 'ada@engine.co.uk', [state('name', 'Ada Lovelace')]);
    const agent = await agentOf(client.key);
    const about = name === 'record' || name === 'save_note' ? { focus: 'ada@engine.co.uk' } : {};
    const call = (more: object) =>
      agent.call(name, { ...about, ...more }, { meta: { 'rapport/idempotencyKey': 'once' } });
    const counted = async () => (await client.get<{ counts: object }>('/v2/workspace/status')).body.counts;
    const first = await call(args);
    expect(first.isError ?? false).toBe(false);
    const before = await counted();
    expect((await call(args)).structuredContent).toEqual(first.structuredContent);
    expect(await call(other)).toMatchObject({ isError: true, text: expect.stringContaining('idempotency_conflict') });
    expect(await counted()).toEqual(before);
  });
});

describe('the workspace', () => {
  it('is returned with its next steps, over REST and MCP', async () => {
    const client = await hub.workspace('starter');
    const agent = await agentOf(client.key);
    const empty = await client.get<{ next_steps: { id: string }[] }>('/v2/workspace/status');
    expect(empty.body).toMatchObject({ completeness: 20, plan: { id: 'starter', crm_sync: false } });
    expect(empty.body.next_steps.map(({ id }) => id)).toEqual(['profile', 'icp', 'records', 'playbook']);
    await client.post('/v2/workspace/onboarding', { name: 'Acme', website: 'https://www.acme-seller.com/about' });
    await client.post('/v2/workspace/onboarding', { business_type: 'software' });
    await record(client, 'ada@acme.com', [state('title', 'CRO')]);
    const { structuredContent } = await agent.call('get_workspace_status', { detail: 'full' });
    expect(structuredContent).toMatchObject({
      workspace: { name: 'Acme', website: 'https://www.acme-seller.com/about', business_type: 'software' },
      counts: { people: 1, companies: 1 },
      next_steps: [{ id: 'icp' }, { id: 'playbook' }],
    });
    expect((await client.get('/v2/workspace/status')).body).toEqual(structuredContent);
    const { body } = await client.get<{ sections: { profile: object } }>('/v2/workspace/facts?section=profile');
    expect(body.sections.profile).toMatchObject({ content: { domains: ['acme-seller.com'] }, version: 2 });
  });

  it.each([
    ['/v2/workspace/onboarding', {}, 'invalid_request'],
    ['/v2/workspace/onboarding', { website: 'not a website' }, 'invalid_request'],
    ['/v2/workspace/onboarding', { plan_model: 'barter' }, 'invalid_request'],
    ['/v2/workspace/crm-sync', {}, 'provider_required'],
    ['/v2/workspace/triggers', { url: 'https://example.org' }, 'url_and_events_required'],
  ])('%s refuses %j', async (path, body, error) => {
    expect(await acme.post(path, body)).toMatchObject({ status: 400, body: { error } });
  });
});
