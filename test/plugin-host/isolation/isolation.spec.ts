import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { discoverPlugins } from '#plugin-host/host/discover-plugins.js';
import { readManifestApart, startIsolatedPlugin } from '#plugin-host/isolation/plugin-process.js';
import { requestReload } from '#plugin-host/host/desired-state.queries.js';
import { PluginReconciler } from '#plugin-host/host/plugin.reconciler.js';
import { PluginRegistry } from '#plugin-host/host/plugin.registry.js';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import { type FakeWeb, startFakeWeb } from '../../fakes/fake-web.js';
import { account } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PLUGIN = '/v2/plugins/apart';

const manifest = (version: string) => `export default {
  id: 'apart', displayName: 'Apart ${version}', description: 'Runs in a process of its own.', sdk: '^1.0.0', minPlan: 'starter',
  settings: { type: 'object', properties: { word: { type: 'string', default: 'hello' } } },
  http: { hosts: ['127.0.0.1:${web.port}'] },
  jobs: { remember: { attempts: 3, backoff: { type: 'fixed', delayMs: 50 }, timeoutMs: 5000, concurrency: 1 } },
  runs: { count: { title: 'Count', description: 'Counts to three.', stepTimeoutMs: 10000 } },
  routes: {
    look: { method: 'GET', path: 'look', auth: 'workspace' },
    fetch: { method: 'POST', path: 'fetch', auth: 'workspace' },
    upload: { method: 'POST', path: 'files', auth: 'workspace', upload: { maxBytes: 50000000, contentTypes: ['text/csv'] } },
    read: { method: 'GET', path: 'files/:id', auth: 'workspace' },
    start: { method: 'POST', path: 'start', auth: 'workspace' },
    fail: { method: 'POST', path: 'fail', auth: 'workspace' },
    exit: { method: 'POST', path: 'exit', auth: 'workspace' },
    spin: { method: 'POST', path: 'spin', auth: 'workspace' },
    slow: { method: 'POST', path: 'slow', auth: 'workspace' },
  },
  tools: { apart_greet: { visibility: 'agent', readOnly: true, idempotent: true, destructive: false } },
};`;

const code = `
import { readFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { Module } from '@nestjs/common';
import { McpTool, OnJob, OnRoute, OnRun, PermanentError } from '@rapport/plugin-sdk';
import { z } from 'zod';

let aborted = 'no';
const attempt = work => work.then(() => 'allowed', error => error.code ?? error.message);
class Apart {
  async look({ query }, hub) {
    return { body: {
      pid: process.pid, env: Object.keys(process.env), settings: hub.settings, aborted, now: hub.clock.now() instanceof Date,
      file: await attempt(readFile(query.file ?? '/etc/hostname')),
      process: await attempt((async () => { const { error } = spawnSync('true'); if (error) throw error; })()),
    } };
  }
  async fetch({ body }, hub) {
    const response = await hub.http.request({ url: body.url });
    return { body: { status: response.status, word: response.json().word } };
  }
  async upload({ upload }, hub) {
    const file = await hub.files.write({ name: upload.fileName ?? 'x.csv' }, upload.stream);
    return { status: 201, body: { id: file.id, bytes: file.bytes } };
  }
  async read({ params }, hub) {
    let bytes = 0;
    for await (const chunk of await hub.files.open(params.id)) bytes += chunk.byteLength;
    return { body: { bytes } };
  }
  async start(_, hub) {
    await hub.jobs.emit('remember', { email: 'ada@acme.io' });
    const run = await hub.runs.start('count', { to: 3 });
    return { status: 202, body: { run: run.id } };
  }
  async fail({ body }) {
    if (body.permanent) throw new PermanentError('It never works.');
    throw new TypeError('It broke.');
  }
  async exit() { process.exit(3); }
  async spin() { for (;;); }
  async slow(_, hub) {
    hub.signal.addEventListener('abort', () => (aborted = hub.signal.reason.message));
    await new Promise(resolve => setTimeout(resolve, 20000));
  }
  async remember({ data }, hub) {
    await hub.graph.record(data.email, [{ kind: 'state', property: 'title', value: 'CTO', external_id: 'one' }]);
    await hub.store.put('done', true);
    hub.log.info('remembered', { pid: process.pid });
  }
  async count(run, hub) {
    const n = (run.state ?? { n: 0 }).n + 1;
    run.progress(n, run.input.to, 'step ' + n);
    run.report({ at: n, error: 'row ' + n + ' is wrong' });
    return n === run.input.to ? run.done({ counted: n, stored: (await hub.store.get('done')) ?? null }) : { n };
  }
  greet({ name, times }, hub, call) {
    call.log('info', 'greeted');
    return { text: Array.from({ length: times }, () => hub.settings.word + ' ' + name).join(', ') };
  }
}
const decorate = (decorator, name) => decorator(Apart.prototype, name, Object.getOwnPropertyDescriptor(Apart.prototype, name));
for (const name of ['look', 'fetch', 'upload', 'read', 'start', 'fail', 'exit', 'spin', 'slow']) decorate(OnRoute(name), name);
decorate(OnJob('remember'), 'remember');
decorate(OnRun('count'), 'count');
decorate(McpTool({
  name: 'apart_greet', title: 'Greet', description: 'Greets somebody. Example: {"name":"Ada"}', scopes: ['read'],
  input: z.object({ name: z.string().trim().min(1), times: z.number().int().default(2) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}), 'greet');
class ApartModule {}
Module({ providers: [Apart] })(ApartModule);
export default ApartModule;
`;

/** A hub context whose ports nobody calls. */
const OFFLINE = { graph: {}, credentials: {}, settings: {}, http: {}, log: {}, signal: new AbortController().signal };

interface Look {
  readonly pid: number;
  readonly env: readonly string[];
  readonly settings: object;
  readonly aborted: string;
  readonly now: boolean;
  readonly file: string;
  readonly process: string;
}

let dir: string;
let web: FakeWeb;
let hub: TestHub;
let client: Client;

async function writePlugin(version: string, text = code): Promise<void> {
  const folder = path.join(dir, 'apart');
  await mkdir(folder, { recursive: true });
  const exports = { '.': './index.js', './manifest': './manifest.js' };
  const about = { name: 'rapport-plugin-apart', version, keywords: ['rapport-plugin'], type: 'module', exports };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(about));
  await writeFile(path.join(folder, 'manifest.js'), manifest(version));
  await writeFile(path.join(folder, 'index.js'), text);
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'apart-'));
  web = await startFakeWeb((_, response) => response.end('{"word":"yes"}'));
  await symlink(path.join(ROOT, 'node_modules'), path.join(dir, 'node_modules'));
  await writePlugin('1.0.0');
  hub = await startTestHub({
    PLUGINS_DIR: dir,
    PLUGIN_ISOLATION: 'process',
    REQUEST_TIMEOUT_MS: '2000',
    EGRESS_ALLOWLIST: '127.0.0.1',
  });
  client = await hub.workspace();
});
afterAll(async () => {
  await hub?.end();
  await web?.close();
  await rm(dir, { recursive: true, force: true });
});

const look = async (file?: string) =>
  (await client.get<Look>(`${PLUGIN}/look${file === undefined ? '' : `?file=${encodeURIComponent(file)}`}`)).body;

it('has a process without the environment, the files and the programs of the hub', async () => {
  const seen = await look(path.join(ROOT, 'README.md'));
  expect(seen).toMatchObject({
    env: ['NO_COLOR'],
    settings: { word: 'hello' },
    now: true,
    file: 'ERR_ACCESS_DENIED',
    process: 'ERR_ACCESS_DENIED',
  });
  expect(seen.pid).not.toBe(process.pid);
  expect((await look(path.join(dir, 'apart/package.json'))).file).toBe('allowed');
});

it('takes uploads and reads files as streams', async () => {
  const text = 'email\n'.repeat(500_000);
  const stored = await fetch(`${hub.url}${PLUGIN}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.key}`, 'content-type': 'text/csv' },
    body: text,
  });
  expect(stored.status).toBe(201);
  const { id, bytes } = (await stored.json()) as { id: string; bytes: number };
  expect(bytes).toBe(text.length);
  expect((await client.get(`${PLUGIN}/files/${id}`)).body).toEqual({ bytes: text.length });
});

it('works its jobs and the steps of its runs', async () => {
  const { body } = await client.post<{ run: string }>(`${PLUGIN}/start`, {});
  await until('the job has run', async () => {
    const { status } = await client.get('/v2/accounts/ada@acme.io');
    return status === 200;
  });
  expect((await account(client, 'ada@acme.io')).claims['title']).toMatchObject({ value: 'CTO' });
  const run = await until('the run has ended', async () => {
    const read = await client.get<{ status: string; reported: number; result: object; progress: object }>(
      `${PLUGIN}/runs/${body.run}`,
    );
    return read.body.status === 'finished' && read.body;
  });
  expect(run).toMatchObject({
    reported: 3,
    result: { counted: 3 },
    progress: { done: 3, total: 3, message: 'step 3' },
  });
});

it('serves its tools, whose arguments its own schema parses', async () => {
  const agent = await AGENTS[0]![1](new URL('/mcp', hub.url), client.key);
  const { text } = await agent.call('apart_greet', { name: ' Ada ' });
  expect(JSON.parse(text)).toEqual({ text: 'hello Ada, hello Ada' });
  await agent.close();
});

it('sends requests by the client of the hub', async () => {
  const { body } = await client.post(`${PLUGIN}/fetch`, { url: `${web.url}/word` });
  expect(body).toEqual({ status: 200, word: 'yes' });
});

it('passes errors on, and the signal of a call that takes too long', async () => {
  const permanent = await client.post<{ detail: string }>(`${PLUGIN}/fail`, { permanent: true });
  const other = await client.post<{ detail: string }>(`${PLUGIN}/fail`, {});
  expect(permanent).toMatchObject({ status: 400, body: { detail: 'It never works.' } });
  expect(other.status).toBe(500);
  expect((await client.post(`${PLUGIN}/slow`, {})).status).toBe(503);
  expect((await look()).aborted).toContain('it took longer than');
});

it('is started again when its process has ended, and the hub goes on', async () => {
  const before = (await look()).pid;
  expect((await client.post(`${PLUGIN}/exit`, {})).status).toBe(500);
  const after = (await look()).pid;
  expect(after).not.toBe(before);
  expect((await client.get('/v2/people')).status).toBe(200);
});

it('loses a process that is stuck in a loop, and only that', async () => {
  const [found] = await discoverPlugins({ dir, packages: [] });
  const { manifest: declared } = (await readManifestApart(found!)) as { manifest: PluginManifest };
  const container = await startIsolatedPlugin(declared, found!, [], { pingIntervalMs: 50, maxSilenceMs: 200 });
  const call = (name: string) =>
    container.call(
      container.handlers.routes.find(route => route.name === name)!,
      { query: {} },
      OFFLINE,
    );
  await expect(call('spin')).rejects.toThrow('The process of the plugin "rapport-plugin-apart" ended (SIGKILL).');
  expect(await call('look')).toMatchObject({ body: { aborted: 'no' } });
  await container.close();
});

it('loads a new version whole, or goes on with the old one', async () => {
  const reconciler = hub.app.get(PluginReconciler, { strict: false });
  const reload = async () => {
    await requestReload(hub.database.work, 'apart');
    await reconciler.reconcile();
    await reconciler.reconcile();
  };
  const listing = () => hub.app.get(PluginRegistry, { strict: false }).list()[0]!;
  const before = (await look()).pid;
  await writePlugin('2.0.0', code.replaceAll('hello', 'hi'));
  await reload();
  expect(listing()).toMatchObject({ version: '2.0.0', state: 'ready' });
  expect((await look()).pid).not.toBe(before);
  await writePlugin('3.0.0', 'export default class {');
  await reload();
  expect(listing()).toMatchObject({ version: '2.0.0', state: 'ready', reason: expect.stringContaining('3.0.0') });
  expect((await look()).settings).toEqual({ word: 'hello' });
});
