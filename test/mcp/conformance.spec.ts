import { ConformanceOffers } from '../fixtures/mcp/conformance.offers.js';
import { ConformanceTools } from '../fixtures/mcp/conformance.tools.js';
import { runSuite, type SuiteRun } from '../fixtures/mcp/conformance.suite.js';
import { startFixtureApp } from '../fixtures/mcp/fixture.app.js';
import { startHeaderProxy } from '../fixtures/mcp/header.proxy.js';

const CALLS = ['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'error', 'with-progress'];
const OFFERS = [
  ...['list', 'read-text', 'read-binary', 'templates-read'].map(what => `resources-${what}`),
  ...['list', 'get-simple', 'get-with-args', 'get-embedded-resource', 'get-with-image'].map(what => `prompts-${what}`),
];
const TRANSPORT = [...OFFERS, 'tools-list', 'dns-rebinding-protection', ...CALLS.map(call => `tools-call-${call}`)];

let app: Awaited<ReturnType<typeof startFixtureApp>>;
let proxy: Awaited<ReturnType<typeof startHeaderProxy>>;

beforeAll(async () => {
  app = await startFixtureApp([ConformanceTools, ConformanceOffers]);
  proxy = await startHeaderProxy(app.url, 'scale');
});

afterAll(async () => {
  await proxy.close();
  await app.app.close();
});

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
