import { createSecretKey, randomBytes } from 'node:crypto';
import type { HubContext } from '#sdk/hub-context.js';
import { ConnectionMonitor } from '#plugin-host/connections/connection.monitor.js';
import { rotateWorkspaceSecrets } from '#plugin-host/connections/rotate-secrets.js';
import { DeliveryContextFactory } from '#plugin-host/context/delivery-context.factory.js';
import { PluginRegistry } from '#plugin-host/host/plugin.registry.js';
import { SecretBox, parseSecretKeys, type SecretKey } from '#kernel/secrets/secret-box.js';
import { type AcmeProvider, serveAcme, startAcme } from '../../support/plugins/acme-plugin.js';
import { account } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, TEST_KEYS, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: AcmeProvider;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub({ EGRESS_ALLOWLIST: '127.0.0.1', ROLE: 'api' });
  acme = await startAcme();
  await serveAcme(hub);
});
afterAll(async () => {
  await hub?.end();
  await acme?.close();
});
beforeEach(async () => {
  acme.down = undefined;
  acme.webhooks.clear();
  client = await hub.workspace();
  const body = { provider: 'acme', credentials: { api_key: 'good-key-of-acme-1' }, settings: { api_url: acme.url } };
  expect((await client.post('/v2/workspace/integrations', body)).status).toBe(201);
});

const ask = async <Row>(sql: string) => (await hub.database.pool.query(sql, [client.workspaceId])).rows as Row[];
const row = async () =>
  (
    await ask<{ id: string; state: string; last_error: string; webhook_active: boolean; due: boolean }>(
      'SELECT *, due_at <= now() AS due FROM connections WHERE workspace_id = $1',
    )
  )[0];

/** Makes the connection due and has what is due done. */
async function keep(): Promise<void> {
  await ask('UPDATE connections SET due_at = now() WHERE workspace_id = $1');
  await hub.app.get(ConnectionMonitor, { strict: false }).runNow();
}

async function contextOf(connectionId: string): Promise<HubContext> {
  const plugin = hub.app.get(PluginRegistry, { strict: false }).findReady('acme')!;
  const contexts = hub.app.get<DeliveryContextFactory>(DeliveryContextFactory as never, { strict: false });
  const { signal } = new AbortController();
  return (await contexts.create({ workspaceId: client.workspaceId, plugin, connectionId, signal }))?.hub as HubContext;
}

test('a check finds that the provider no longer reports', async () => {
  acme.webhooks.clear();
  await keep();
  expect(await row()).toMatchObject({ state: 'connected', webhook_active: false, last_error: null, due: false });
});

test('three failures make a connection degraded, a success makes it whole; no secret stands in the reason', async () => {
  acme.down = 500;
  await keep();
  expect(await row()).toMatchObject({ state: 'connected', last_error: 'Acme answered 500 for [hidden]', due: false });
  await keep();
  await keep();
  expect(await row()).toMatchObject({ state: 'degraded' });
  acme.down = undefined;
  await keep();
  expect(await row()).toMatchObject({ state: 'connected', last_error: null, webhook_active: true });
});

test('an unreachable provider does not prevent a disconnect; the request is retried until it arrives', async () => {
  acme.down = 500;
  expect((await client.delete('/v2/workspace/integrations/acme')).body).toMatchObject({ disconnected: true });
  const list = await client.get<{ integrations: { state: string }[] }>('/v2/workspace/integrations');
  expect(list.body.integrations[0]!.state).toBe('available');
  await keep();
  expect([await row(), acme.webhooks.size]).toMatchObject([{ state: 'disconnected', due: false }, 1]);
  acme.down = undefined;
  await keep();
  expect([await row(), acme.webhooks.size]).toEqual([undefined, 0]);
});

test('what a process that died was making is taken back, at the provider too', async () => {
  await ask("UPDATE connections SET state = 'testing' WHERE workspace_id = $1");
  await keep();
  expect([await row(), acme.webhooks.size]).toEqual([undefined, 0]);
});

test('a delivery for a connection that is still being made waits for it', async () => {
  const { id } = (await row())!;
  await ask("UPDATE connections SET state = 'testing' WHERE workspace_id = $1");
  await expect(contextOf(id)).rejects.toThrow('being made');
});

test('each connection is in the hands of one round only', async () => {
  const before = acme.seen.length;
  await ask('UPDATE connections SET due_at = now() WHERE workspace_id = $1');
  const keeper = hub.app.get(ConnectionMonitor, { strict: false });
  await Promise.all([keeper.runNow(), keeper.runNow(), keeper.runNow()]);
  expect(acme.seen.length - before).toBe(1);
});

test('a handler is given the hub: credentials, settings, store, jobs, events, graph', async () => {
  const { id } = (await row())!;
  const context = await contextOf(id);
  expect([context.credentials, context.settings]).toEqual([
    { api_key: 'good-key-of-acme-1', region: 'eu' },
    { api_url: acme.url, sync_days: 30, queue: '' },
  ]);
  await context.store.put('cursor', { after: [1, null] });
  expect([await context.store.get('cursor'), await context.store.get('none')]).toEqual([
    { after: [1, null] },
    undefined,
  ]);
  await expect(context.store.put('big', 'x'.repeat(70_000))).rejects.toThrow('64 kB');
  await context.jobs.emit('backfill', { a: 1 }, { key: 'one' });
  await context.jobs.emit('backfill', { a: 1 }, { key: 'one' });
  await expect(context.jobs.emit('unknown', 1)).rejects.toThrow('no job "unknown"');
  expect(await ask('SELECT id FROM plugin_jobs WHERE workspace_id = $1')).toHaveLength(1);
  await expect(context.events.emit('acme.called', { id: 7 })).rejects.toThrow('does not fit');
  await context.events.emit('acme.called', { id: 'c-1' });
  const call = { kind: 'event', property: 'interaction.call_held', external_id: 'acme:c-1' } as const;
  expect(await context.graph.record('ada@acme.com', [call])).toMatchObject({ recorded: 1, entity_created: true });
  expect(await context.graph.record('ada@acme.com', [call])).toMatchObject({ recorded: 0, duplicates: 1 });
  await expect(context.graph.record('Ada', [call])).rejects.toMatchObject({ name: 'PermanentError' });
  const note = { title: 'Call', content: 'Ada wants a quote.', external_id: 'acme:t-1' };
  const stored = await context.graph.note('ada@acme.com', note);
  expect(await context.graph.note('ada@acme.com', note)).toEqual(stored);
  const people = [{ email: 'bob@acme.com', title: 'CFO' }, { name: 'Nobody' }];
  const answers = await context.graph.people.upsert(people, { importId: 'i1' });
  expect(answers).toMatchObject([{ created: true }, { field: 'email' }]);
  expect(await context.graph.find('bob@acme.com')).toMatchObject({ status: 'one', entity: { title: 'CFO' } });
  expect(await context.graph.find('who@nowhere.com')).toBeNull();
  const { recent_observations } = await account(client, 'ada@acme.com');
  expect(recent_observations).toContainEqual(expect.objectContaining({ source: 'acme', method: 'plugin' }));
});

test('a context of another workspace finds neither connection nor store', async () => {
  const { id } = (await row())!;
  client = await hub.workspace();
  expect(await contextOf(id)).toBeUndefined();
});

test('rotation seals everything under the first key, and the old one is no longer needed', async () => {
  const { work, pool } = hub.database;
  const { id } = (await row())!;
  await Promise.all(Array.from({ length: 150 }, (_, n) => contextOf(id).then(hub => hub.store.put(`k${n}`, n))));
  const fresh: SecretKey = { id: 'fresh', key: createSecretKey(randomBytes(32)) };
  const both = new SecretBox([fresh, ...(parseSecretKeys(TEST_KEYS) as SecretKey[])]);
  const sealed = async () =>
    (
      await pool.query<{ text: string }>(
        `SELECT credentials::text || webhook_secrets::text AS text FROM connections WHERE workspace_id = $1
       UNION ALL SELECT value::text FROM plugin_store WHERE workspace_id = $1`,
        [client.workspaceId],
      )
    ).rows.map(({ text }) => text);
  const before = await sealed();
  const steps: number[] = [];
  const onProgress = ({ read }: { read: number }) => void steps.push(read);
  expect(await rotateWorkspaceSecrets(work, both, client.workspaceId, { dryRun: true })).toEqual({
    read: 152,
    resealed: 152,
  });
  expect((await sealed()).toSorted()).toEqual(before.toSorted());
  expect(await rotateWorkspaceSecrets(work, both, client.workspaceId, { dryRun: false, onProgress })).toMatchObject({
    resealed: 152,
  });
  expect(steps).toEqual([1, 101, 152]);
  expect((await sealed()).every(text => text.includes('sealed:fresh:') && !text.includes('sealed:test:'))).toBe(true);
  const only = new SecretBox([fresh]);
  expect(await rotateWorkspaceSecrets(work, only, client.workspaceId, { dryRun: false })).toEqual({
    read: 152,
    resealed: 0,
  });
  await expect(contextOf(id)).rejects.toThrow('"fresh", which SECRET_KEYS does not hold');
});
