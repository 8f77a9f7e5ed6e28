import { fileURLToPath } from 'node:url';
import { PluginReconciler } from '#plugin-host/host/plugin.reconciler.js';
import { setEnabled } from '#plugin-host/host/desired-state.queries.js';
import { AGENTS, type Agent } from '../../fixtures/mcp/agents.js';
import { runSuite, type SuiteRun } from '../../fixtures/mcp/conformance.suite.js';
import { startHeaderProxy } from '../../fixtures/mcp/header.proxy.js';
import { inspect } from '../../fixtures/mcp/inspector.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/conformance', import.meta.url));
/** What the plugin `test` asks an operator for, who says when it is done. */
const CHANGE = 'rapport-test:change-offers';

const CALLS = ['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'error', 'with-progress'];
const OFFERS = [
  ...['list', 'read-text', 'read-binary', 'templates-read'].map(what => `resources-${what}`),
  ...['list', 'get-simple', 'get-with-args', 'get-embedded-resource', 'get-with-image'].map(what => `prompts-${what}`),
];
const TRANSPORT = [...OFFERS, 'tools-list', 'dns-rebinding-protection', ...CALLS.map(call => `tools-call-${call}`)];

let hub: TestHub;
let acme: Client;
let starter: Client;
let proxy: Awaited<ReturnType<typeof startHeaderProxy>>;
let passes = true;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
  [acme, starter] = [await hub.workspace(), await hub.workspace('starter')];
  proxy = await startHeaderProxy(new URL('/mcp', hub.url), acme.key);
  process.on(CHANGE, changeOffers);
});

afterAll(async () => {
  process.off(CHANGE, changeOffers);
  await proxy?.close();
  await hub?.end();
});

/** As `rapport admin plugins enable|disable` does. */
function changeOffers(done: () => void): void {
  passes = !passes;
  void setEnabled(hub.database.work, 'passing', passes)
    .then(() => hub.app.get(PluginReconciler, { strict: false }).reconcile())
    .then(done);
}

/** The suite's own output is what tells a reader which scenario broke. */
function expectPass(run: SuiteRun, scenarios: readonly string[]): void {
  if (run.code !== 0) throw new Error(run.output);
  expect([...run.passed]).toEqual(expect.arrayContaining([...scenarios]));
}

it('holds the 2025 revisions, but for what the baseline explains', async () => {
  const run = await runSuite('conformance-2025', proxy.url, 'conformance-baseline-2025.yml');
  expectPass(run, ['server-initialize', 'logging-set-level', 'ping', 'tools-call-with-logging', ...TRANSPORT]);
});

it('holds revision 2026-07-28, but for what the baseline explains', async () => {
  const more = ['--requirements', '2026-07-28'];
  const run = await runSuite('conformance-2026', proxy.url, 'conformance-baseline-2026.yml', ...more);
  expectPass(run, ['http-header-validation', 'input-required-result-unsupported-methods', ...TRANSPORT]);
});

it('has schemas that all clients can take, by the strict list of the inspector', async () => {
  const { code, output } = await inspect(hub.url, acme.key, '--method', 'tools/list', '--strict');
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  for (const name of ['get_workspace_status', 'test_simple_text', 'json_schema_2020_12_tool']) {
    expect(output).toContain(name);
  }
});

describe.each(AGENTS)('what a plugin offers, for %s', (_name, connect) => {
  let agent: Agent;
  let lesser: Agent;
  beforeAll(async () => {
    const url = new URL('/mcp', hub.url);
    [agent, lesser] = await Promise.all([connect(url, acme.key), connect(url, starter.key)]);
  });
  afterAll(() => Promise.all([agent.close(), lesser.close()]));

  it('lists and reads resources as far as the plan goes', async () => {
    expect(await agent.resources()).toEqual([
      'rapport://vocabulary',
      'test://static-binary',
      'test://static-text',
      'test://watched-resource',
    ]);
    expect(await lesser.resources()).toEqual(['rapport://vocabulary', 'test://static-binary', 'test://static-text']);
    expect(await agent.templates()).toEqual(['test://template/{id}/data']);
    expect(await agent.read('test://template/a%20b/data')).toMatchObject([
      { mimeType: 'application/json', text: expect.stringContaining('"id":"a b"') },
    ]);
    await expect(lesser.read('test://watched-resource')).rejects.toThrow(/needs the plan "growth"/);
    for (const nothing of ['test://no-such', 'test://template/none/data', 'test://template/a/b/data']) {
      await expect(agent.read(nothing)).rejects.toMatchObject({
        message: expect.stringContaining(`Unknown resource: ${nothing}`),
      });
    }
  });

  it('lists and fills in prompts, and keeps what fails to itself', async () => {
    expect(await agent.prompts()).toContain('test_prompt_with_arguments');
    expect(await agent.prompt('test_prompt_with_arguments', { arg1: 'a', arg2: 'b' })).toMatchObject([
      { role: 'user', content: { text: "Prompt with arguments: arg1='a', arg2='b'" } },
    ]);
    await expect(agent.prompt('test_prompt_with_arguments', { arg1: 'a' })).rejects.toThrow(/"arg2" is missing/);
    await expect(agent.prompt('no_such_prompt')).rejects.toMatchObject({ code: -32602 });
    const failed = await agent.prompt('test_failing_prompt').catch(String);
    expect(failed).toMatch(/prompt test_failing_prompt failed on our side/);
    expect(failed).not.toMatch(/password/);
  });
});
