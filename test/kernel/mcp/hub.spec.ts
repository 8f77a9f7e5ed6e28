import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { ToolRegistry } from '#kernel/mcp/tool.registry.js';
import { setPlan } from '#kernel/workspaces/workspaces.repository.js';
import { AGENTS, type Agent } from '../../fixtures/mcp/agents.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

const title = (value: string) => ({ kind: 'state', property: 'title', value });

describe.each(AGENTS)('the hub, for %s', (name, connect) => {
  const focus = `${name.replaceAll(/[^a-z0-9]/gi, '-')}@acme.com`.toLowerCase();
  let agent: Agent;

  beforeAll(async () => {
    agent = await connect(new URL('/mcp', hub.url), acme.key);
  });
  afterAll(() => agent.close());

  it('reads over MCP what was recorded over REST, and the other way round', async () => {
    await acme.post('/v2/observations', { focus, observations: [title('VP Sales')] });
    const read = await agent.call('get_account', { id: focus });
    expect(read.structuredContent).toMatchObject({ claims: { title: { value: 'VP Sales', freshness: 'fresh' } } });
    expect(JSON.parse(read.text)).toEqual(read.structuredContent);

    const written = await agent.call('record', { focus, observations: [title('CRO')] });
    expect(written.structuredContent).toMatchObject({
      recorded: 1,
      claims_recomputed: ['title'],
      entity_created: false,
    });
    const account = await acme.get<{ claims: object }>(`/v2/accounts/${focus}`);
    expect(account.body.claims).toMatchObject({ title: { value: 'CRO' } });
  });

  it('names the field and the fix in errors for the model', async () => {
    const named = await agent.call('record', { focus: 'Ada Lovelace', observations: [title('x')] });
    expect(named).toMatchObject({ isError: true, text: expect.stringContaining('LinkedIn URL') });
    const nobody = await agent.call('get_account', { id: 'nobody@acme.com' });
    expect(nobody).toMatchObject({ isError: true, text: expect.stringContaining('No entity') });
    const dated = await agent.call('record', { focus, observations: [{ ...title('x'), observed_at: 'soon' }] });
    expect(dated).toMatchObject({ isError: true, text: expect.stringContaining('observed_at') });
  });

  it('offers the vocabulary as a resource and announces no empty list of prompts', async () => {
    expect(await agent.resources()).toEqual(['rapport://vocabulary']);
    const [content] = (await agent.read('rapport://vocabulary')) as { text: string }[];
    expect(JSON.parse(content!.text)).toMatchObject({
      properties: expect.arrayContaining([expect.objectContaining({ name: 'title', aliases: ['job_title'] })]),
      events: expect.arrayContaining([expect.objectContaining({ name: 'interaction.email_replied' })]),
    });
    expect(agent.capabilities()).toMatchObject({ tools: {}, resources: {} });
    expect(agent.capabilities()).not.toHaveProperty('prompts');
  });

  it('gives a shared name as candidates to choose from', async () => {
    for (const id of ['one', 'two']) {
      const observations = [{ kind: 'state', property: 'name', value: `Sam ${name}` }];
      await acme.post('/v2/observations', { focus: `${id}-${focus}`, observations });
    }
    const { structuredContent } = await agent.call('get_account', { id: `sam ${name}` });
    expect(structuredContent).toMatchObject({ status: 'ambiguous', count: 2, candidates: [{}, {}] });
  });

  it('keeps a large account within the output budget', async () => {
    const big = `big-${focus}`;
    const facts = Array.from({ length: 200 }, (_, i) => ({
      kind: 'state',
      property: `fact_${i}`,
      value: 'x'.repeat(100),
    }));
    await acme.post('/v2/observations', { focus: big, observations: facts });
    const { structuredContent, text } = await agent.call('get_account', { id: big, limit: 200 });
    expect(Buffer.byteLength(text) / 3.6).toBeLessThanOrEqual(8000);
    expect(structuredContent).toMatchObject({ entity_id: expect.any(String), truncated: { hint: expect.any(String) } });
  });
});

describe('completed calls', () => {
  const params = { name: 'get_account', arguments: { id: 'held@acme.com', detail: 'full' } };
  const modern = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const ROUNDS = 12;
  const named = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': params.name };

  /** As many calls of each era, ten at a time, without a client that might keep something. */
  async function call(times: number): Promise<void> {
    const send = async (sent: object, headers: Record<string, string>) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: sent });
      const accept = 'application/json, text/event-stream';
      const common = { accept, 'content-type': 'application/json', authorization: `Bearer ${acme.key}` };
      const answer = await fetch(`${hub.url}/mcp`, { method: 'POST', body, headers: { ...common, ...headers } });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('VP Sales')]);
    };
    for (let done = 0; done < times; done += 5) {
      const five = Array.from({ length: 5 });
      await Promise.all(five.flatMap(() => [send(params, {}), send({ ...params, _meta: modern }, named)]));
    }
  }

  it('hold no memory', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    await acme.post('/v2/observations', { focus: 'held@acme.com', observations: [title('VP Sales')] });
    const grown: number[] = [];
    // What is made once, by the engine too, grows in some rounds; what a call leaves behind would in each. An answer has
    // more than 2000 bytes.
    while (grown.length < ROUNDS && !grown.some(bytes => bytes < 1000)) {
      const before = held();
      await call(100);
      grown.push((held() - before) / 200);
    }
    expect(Math.min(...grown)).toBeLessThan(1000);
  });
});

describe('who listens', () => {
  const open: ModernClient[] = [];
  afterEach(() => Promise.all(open.splice(0).map(client => client.close())));

  /** The lists that a client has read because it was told to, newest last. */
  async function listening(key: string) {
    const lists: string[][] = [];
    const client = new ModernClient(
      { name: 'listener', version: '1.0.0' },
      {
        versionNegotiation: { mode: { pin: '2026-07-28' } },
        listChanged: { tools: { onChanged: (_, tools) => void lists.push((tools ?? []).map(({ name }) => name)) } },
      },
    );
    open.push(client);
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', hub.url), { requestInit }));
    return {
      client,
      lists,
      told: (what: string, ok: (names: string[]) => boolean) => until(what, () => lists.find(ok)),
    };
  }

  it('is notified of another plan and of plugins that are loaded or unloaded, and of nothing else', async () => {
    const starter = await hub.workspace('starter');
    const [one, other] = [await listening(starter.key), await listening(acme.key)];
    expect((await one.client.listTools()).tools.map(({ name }) => name)).not.toContain('configure_crm_sync');
    // As the command of operators does, which is another process.
    await setPlan(hub.database.work, starter.workspaceId, 'growth');
    await one.told('the tool of the new plan', names => names.includes('configure_crm_sync'));
    // The list that the client has kept for as long as the server allowed is forgotten with it.
    expect((await one.client.listTools()).tools.map(({ name }) => name)).toContain('configure_crm_sync');
    expect(other.lists).toEqual([]);

    const registry = hub.app.get(ToolRegistry, { strict: false });
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    const message = { name: 'acme_look', title: 'Look', description: 'Looks.', scopes: [], annotations };
    registry.register({ ...message, input: z.object({}) }, () => 'seen', { name: 'Acme.look', plugin: 'acme' });
    await other.told('a new tool', names => names.includes('acme_look'));
    registry.unregister('acme');
    await other.told('a tool less', names => !names.includes('acme_look'));
  });

  it('hears no more when its key is revoked, and the stream ends in good order', async () => {
    const { body } = await acme.post<{ id: string; key: string }>('/v2/api-keys', { name: 'agent' });
    const { client } = await listening(body.key);
    const stream = client.autoOpenedSubscription!;
    await acme.delete(`/v2/api-keys/${body.id}`);
    expect(await stream.closed).toBe('graceful');
  });
});
