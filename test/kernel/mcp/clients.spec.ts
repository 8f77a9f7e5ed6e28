import { INSTRUCTIONS } from '#kernel/mcp/server-info.js';
import { estimateOutputTokens } from '#kernel/mcp/output-budget.js';
import { AGENTS, type Agent, type Notice } from '../../fixtures/mcp/agents.js';
import { startFixtureApp } from '../../fixtures/mcp/fixture.app.js';
import { FixtureTools } from '../../fixtures/mcp/fixture.tools.js';

const OPEN_TO_ALL = [
  'count_aloud',
  'fail_as_the_hub',
  'fail_for_the_model',
  'fail_unexpectedly',
  'list_people',
  'pick_colour',
  'think_aloud',
  'wait_for_caller',
];

let served: Awaited<ReturnType<typeof startFixtureApp>>;

beforeAll(async () => {
  served = await startFixtureApp([FixtureTools]);
});

afterAll(() => served.app.close());

describe.each(AGENTS)('%s', (_name, connect) => {
  let agent: Agent;
  const opened: Agent[] = [];
  const as = async (key: string): Promise<Agent> => {
    const other = await connect(served.url, key);
    opened.push(other);
    return other;
  };

  beforeAll(async () => {
    agent = await as('scale');
  });

  afterAll(() => Promise.all(opened.map(one => one.close())));

  it('gets instructions for the server', () => {
    expect(agent.instructions).toBe(INSTRUCTIONS);
  });

  it.each([
    ['scale', ['save_thing', 'sync_things']],
    ['starter', ['save_thing']],
    ['reader', ['sync_things']],
    ['internal', ['save_thing', 'set_secret_trigger', 'sync_things']],
  ])('lists for the key "%s" what its plan and scopes allow, by name', async (key, more) => {
    const names = (await (await as(key)).tools()).map(({ name }) => name);
    expect(names).toEqual([...OPEN_TO_ALL, ...more].sort());
  });

  it('sends one and the same JSON as structured content and as text', async () => {
    const { text, structuredContent } = await agent.call('list_people', { count: 3 });
    expect(structuredContent).toMatchObject({ people: [{}, {}, {}], total: 1_000_000 });
    expect(JSON.parse(text)).toEqual(structuredContent);
  });

  it('shortens a long list to the output budget, says so, and leaves cursor and total alone', async () => {
    const { text, structuredContent, isError } = await agent.call('list_people', { count: 5000 });
    const { people, total, next_cursor, truncated } = structuredContent as Record<string, unknown>;
    const shown = (people as unknown[]).length;
    expect(isError).toBeFalsy();
    expect(estimateOutputTokens(text)).toBeLessThanOrEqual(8000);
    expect(shown).toBeGreaterThan(500);
    expect({ total, next_cursor }).toEqual({ total: 1_000_000, next_cursor: 'next' });
    expect(truncated).toMatchObject({
      fields: [{ field: 'people', shown, of: 5000 }],
      hint: expect.stringContaining('next_cursor'),
    });
    expect(JSON.parse(text)).toEqual(structuredContent);
  });

  it('tells the model which argument to correct', async () => {
    const { text, isError } = await agent.call('list_people', { count: -1 });
    expect({ text, isError }).toEqual({
      text: expect.stringMatching(/list_people.*\n- count: /),
      isError: true,
    });
  });

  it('checks and completes arguments by a raw JSON Schema', async () => {
    expect((await agent.call('pick_colour', { colour: 'red' })).structuredContent).toEqual({
      picked: { colour: 'red', times: 1 },
    });
    const refused = await agent.call('pick_colour', { colour: 'green', size: 1 });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/- colour: .*\["red","blue"\]/);
    expect(refused.text).toMatch(/additional properties: "size"/);
  });

  it('says which plan or scope a call lacks, and not to try again', async () => {
    const [starter, reader] = [await as('starter'), await as('reader')];
    const plan = await starter.call('sync_things');
    const scope = await reader.call('save_thing');
    expect([plan.isError, scope.isError]).toEqual([true, true]);
    expect(plan.text).toMatch(/needs the plan "growth".*Do not retry; tell the user/);
    expect(scope.text).toMatch(/scope "write".*Do not retry; tell the user/);
  });

  it('knows nothing of internal tools, as of tools that do not exist', async () => {
    await expect(agent.call('set_secret_trigger')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: set_secret_trigger'),
    });
    await expect(agent.call('no_such_tool')).rejects.toMatchObject({ code: -32602 });
    expect((await (await as('internal')).call('set_secret_trigger')).text).toBe('set');
  });

  it('hands on errors that are meant for a model', async () => {
    expect(await agent.call('fail_for_the_model')).toMatchObject({
      isError: true,
      text: 'No booking "abc". Call list_people first.',
    });
    const hub = await agent.call('fail_as_the_hub');
    expect(hub).toMatchObject({ isError: true });
    expect(hub.text).toBe('invalid_request: say event or state\n- observations[3].kind: say event or state');
  });

  it('keeps any other error from the model, and logs it under the request id that it tells', async () => {
    const { text, isError } = await agent.call('fail_unexpectedly');
    expect(isError).toBe(true);
    expect(text).toMatch(/^The tool fail_unexpectedly failed on our side \(request [^)]+\)\. It may have taken effect/);
    expect(text).not.toMatch(/password|10\.0\.0\.7/);
    const requestId = /request ([^)]+)\)/.exec(text)?.[1];
    expect(served.log.lines).toContainEqual({
      level: 'error',
      said: expect.objectContaining({
        request_id: requestId,
        tool: 'fail_unexpectedly',
        err: expect.any(Error),
      }),
    });
  });

  it('reports progress to those who ask', async () => {
    const notices: Notice[] = [];
    const { text } = await agent.call('count_aloud', {}, { onprogress: notice => notices.push(notice) });
    expect(text).toBe('counted');
    expect(notices).toMatchObject([1, 2, 3].map(progress => ({ progress, total: 3 })));
    expect(notices.map(({ message }) => message)).toEqual(['one', 'two', 'three']);
    expect((await agent.call('count_aloud')).text).toBe('counted');
  });

  it('gives a handler its caller and the idempotency key of the call', async () => {
    const { structuredContent } = await agent.call('save_thing', {}, { meta: { 'rapport/idempotencyKey': 'k-1' } });
    expect(structuredContent).toMatchObject({
      workspace: 'workspace-of-scale',
      key: 'k-1',
      request: expect.any(String),
    });
  });

  it('has no more tools than its address names, and only reads where that says so', async () => {
    const at = async (query: string) => {
      const other = await connect(new URL(`${served.url.href}?${query}`), 'scale');
      opened.push(other);
      return { other, names: (await other.tools()).map(({ name }) => name) };
    };
    const few = await at('tools=count_aloud,save_thing,set_secret_trigger,no_such_tool');
    expect(few.names).toEqual(['count_aloud', 'save_thing']);
    expect(await few.other.call('list_people')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/not among the tools .*Do not retry; tell the user/),
    });
    const reader = await at('readonly=true&tools=count_aloud,save_thing');
    expect(reader.names).toEqual(['count_aloud']);
    expect(await reader.other.call('save_thing')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/writes/),
    });
  });

  it('does not get in without a key', async () => {
    await expect(connect(served.url, 'wrong')).rejects.toThrow();
  });
});
