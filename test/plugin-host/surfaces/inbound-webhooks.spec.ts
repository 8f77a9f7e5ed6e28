import { InboundSweeper } from '#plugin-host/surfaces/inbound/inbound-event.store.js';
import { createHmac, randomBytes } from 'node:crypto';
import { signInbound } from '#sdk/signature.js';
import { countConnects } from '../../support/database/count-connects.js';
import { acmeManifest, type AcmeProvider, serveAcme, startAcme } from '../../support/plugins/acme-plugin.js';
import { pauseJobs } from '../../support/plugins/paused-jobs.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: AcmeProvider;

/** A connected workspace with the address and the secret that its provider was given. */
interface Connected {
  readonly client: Client;
  readonly base: string;
  readonly secret: string;
}

beforeAll(async () => {
  hub = await startTestHub({ EGRESS_ALLOWLIST: '127.0.0.1', ROLE: 'api' });
  acme = await startAcme();
  await serveAcme(hub);
});
afterAll(async () => {
  await hub?.end();
  await acme?.close();
});

async function connected(): Promise<Connected> {
  const client = await hub.workspace();
  acme.webhooks.clear();
  const body = { provider: 'acme', credentials: { api_key: 'good-key-of-acme-1' }, settings: { api_url: acme.url } };
  expect((await client.post('/v2/workspace/integrations', body)).status).toBe(201);
  const [{ url, secret }] = [...acme.webhooks.values()] as [{ url: string; secret: string }];
  return { client, base: hub.url + new URL(url).pathname.replace(/\/calls$/, ''), secret };
}

const sign = (secret: string, body: string | Buffer) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

async function send(url: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const all = { 'content-type': 'application/json', ...headers };
  const response = await fetch(url, { method: 'POST', headers: all, body: body as string });
  return { status: response.status, text: await response.text() };
}

const deliver = ({ base, secret }: Connected, body: string | Buffer, headers = {}) =>
  send(`${base}/calls`, body, { 'x-acme-signature': sign(secret, body), ...headers });

const ask = async <Row>(sql: string, ...values: unknown[]) =>
  (await hub.database.pool.query(sql, values)).rows as Row[];
const stored = (client: Client) =>
  ask<{ id: string; body: Buffer; headers: Record<string, string>; event_id: string }>(
    'SELECT * FROM inbound_events WHERE workspace_id = $1 ORDER BY id',
    client.workspaceId,
  );
const jobs = (client: Client) =>
  ask<{ id: string; payload: unknown }>(
    "SELECT * FROM plugin_jobs WHERE workspace_id = $1 AND kind = 'inbound' ORDER BY id",
    client.workspaceId,
  );

test('a signed delivery is stored byte for byte with its job, and acknowledged', async () => {
  const acmes = await connected();
  const body = '{ "call": "Grüße",\n "n": 1.0 }';
  const release = await pauseJobs(hub.database.url);
  const answer = await deliver(acmes, body, { authorization: 'Bearer x', 'x-more': 'yes' });
  const given = await jobs(acmes.client);
  await release();
  expect(answer).toEqual({ status: 200, text: '{"ok":true,"duplicate":false}' });
  const [row, ...others] = await stored(acmes.client);
  expect([row!.body.toString(), row!.headers['x-more'], row!.headers['authorization'], others]).toEqual([
    body,
    'yes',
    undefined,
    [],
  ]);
  expect(given).toMatchObject([
    { id: row!.id, plugin: 'acme', name: 'calls', payload: { inbound_id: row!.id }, state: 'waiting' },
  ]);
  const { body: list } = await acmes.client.get<{ integrations: { connection: { last_event_at: string } }[] }>(
    '/v2/workspace/integrations',
  );
  expect(list.integrations[0]!.connection.last_event_at).toMatch(/^20/);
});

test('bodies of any kind come through as they are: the signature is over bytes', async () => {
  const acmes = await connected();
  const bodies = ['a=b&c=d', 'no json', '', '<xml/>', Buffer.from([0, 255, 254, 128]), '{"__proto__":{}}'];
  const types = ['application/x-www-form-urlencoded', 'text/plain', 'application/json', 'application/xml', 'json'];
  for (const [i, body] of bodies.entries())
    expect((await deliver(acmes, body, { 'content-type': types[i % types.length] })).status).toBe(200);
  expect((await stored(acmes.client)).map(row => row.body)).toEqual(bodies.map(body => Buffer.from(body)));
});

test('fifty identical concurrent deliveries are stored once and all return 200', async () => {
  const acmes = await connected();
  const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(acmes, '{"same":true}')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers.filter(({ text }) => text.includes('false')).length).toBe(1);
  expect([(await stored(acmes.client)).length, (await jobs(acmes.client)).length]).toEqual([1, 1]);
});

test('fifty different concurrent deliveries are all stored', async () => {
  const acmes = await connected();
  await Promise.all(Array.from({ length: 50 }, (_, n) => deliver(acmes, JSON.stringify({ n }))));
  expect([(await stored(acmes.client)).length, (await jobs(acmes.client)).length]).toEqual([50, 50]);
});

test.each([
  ['none', {}, 'missing_signature'],
  ['an empty one', { 'x-acme-signature': '' }, 'missing_signature'],
  ['one over another body', { 'x-acme-signature': sign('x', '{}') }, 'invalid_signature'],
  ['one that is cut', { 'x-acme-signature': 'sha256=abcd' }, 'invalid_signature'],
  ['the placeholder of a provider', { 'x-acme-signature': 'no-secret-provided' }, 'invalid_signature'],
])('a delivery with %s as signature is refused, and nothing is kept', async (_, headers, error) => {
  const { client, base } = await connected();
  const answer = await send(`${base}/calls`, '{"forged":1}', headers as Record<string, string>);
  expect([answer.status, JSON.parse(answer.text).error]).toEqual([401, error]);
  expect(await stored(client)).toEqual([]);
});

test('the secret of another connection opens nothing', async () => {
  const [one, other] = [await connected(), await connected()];
  expect((await deliver({ ...one, secret: other.secret }, '{}')).status).toBe(401);
  expect((await deliver(one, '{}')).status).toBe(200);
  expect([(await stored(one.client)).length, (await stored(other.client)).length]).toEqual([1, 0]);
});

test('every address that is none answers the same, word for word', async () => {
  const acmes = await connected();
  const starter = await connected();
  await hub.database.pool.query("UPDATE workspaces SET plan = 'starter' WHERE id = $1", [starter.client.workspaceId]);
  const gone = await connected();
  await gone.client.delete('/v2/workspace/integrations/acme');
  const token = acmes.base.split('/').at(-1)!;
  const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  const places = [
    [acmes.base.replace(token, other), acmes.secret],
    [acmes.base.replace(token, `x${token.slice(1)}`), acmes.secret],
    [acmes.base.replace(token, acmes.client.workspaceId), acmes.secret],
    [acmes.base.replace(token, 'x'), acmes.secret],
    [starter.base, starter.secret],
    [gone.base, gone.secret],
  ] as const;
  const answers = [
    ...(await Promise.all(places.map(([base, secret]) => deliver({ ...acmes, base, secret }, '{}')))),
    await send(`${acmes.base}/constructor`, '{}'),
    await send(`${acmes.base}/unknown`, '{}', { 'x-acme-signature': sign(acmes.secret, '{}') }),
  ];
  const plain = answers.map(({ status, text }) => [status, text.replace(/"request_id":"[^"]+"/, '')]);
  expect([...new Set(plain.map(each => JSON.stringify(each)))]).toHaveLength(1);
  expect(plain[0]![0]).toBe(404);
  expect(await stored(starter.client)).toEqual([]);
});

test('a plan that is raised again wakes the connection as it was', async () => {
  const acmes = await connected();
  const plan = (name: string) =>
    hub.database.pool.query('UPDATE workspaces SET plan = $2 WHERE id = $1', [acmes.client.workspaceId, name]);
  await plan('starter');
  expect((await deliver(acmes, '{}')).status).toBe(404);
  await plan('growth');
  expect((await deliver(acmes, '{}')).status).toBe(200);
});

test('handshakes return text: by POST only on request, by GET the echoed value', async () => {
  const acmes = await connected();
  const requested = await send(`${acmes.base}/calls`, JSON.stringify({ type: 'challenge', challenge: '<b>1</b>' }));
  expect(requested).toEqual({ status: 200, text: '<b>1</b>' });
  expect((await send(`${acmes.base}/calls`, JSON.stringify({ type: 'other', challenge: '1' }))).status).toBe(401);
  const got = await fetch(`${acmes.base}/numbered?hub_challenge=abc`);
  expect([got.status, await got.text(), got.headers.get('content-type')]).toEqual([
    200,
    'abc',
    'text/plain; charset=utf-8',
  ]);
  expect((await fetch(`${acmes.base}/calls?challenge=abc`)).status).toBe(404);
  expect(await stored(acmes.client)).toEqual([]);
});

test('Standard Webhooks are known by their id, and old ones are refused', async () => {
  const acmes = await connected();
  const secret = `whsec_${Buffer.from(acmes.secret, 'hex').toString('base64')}`;
  const signed = (id: string, body: string, at = new Date()) =>
    signInbound(acmeManifest.inbound!['numbered']!.signature!, secret, { raw: Buffer.from(body), id, at });
  const to = `${acmes.base}/numbered`;
  expect((await send(to, '{"a":1}', signed('msg_1', '{"a":1}'))).text).toContain('"duplicate":false');
  expect((await send(to, '{"a":2}', signed('msg_1', '{"a":2}'))).text).toContain('"duplicate":true');
  expect((await send(to, '{}', signed('msg_2', '{}', new Date(Date.now() - 3_600_000)))).status).toBe(401);
  expect((await stored(acmes.client)).map(row => row.event_id)).toEqual(['msg_1']);
});

test('a secret of the credentials signs as well; the id may stand in the body', async () => {
  const acmes = await connected();
  for (const body of ['{"event":{"id":7},"n":1}', '{"event":{"id":7},"n":2}', '{"event":{}}'])
    expect(
      (
        await send(`${acmes.base}/own`, body, {
          'x-acme-signature': createHmac('sha256', 'good-key-of-acme-1').update(body).digest('hex'),
        })
      ).status,
    ).toBe(200);
  expect((await stored(acmes.client)).map(row => row.event_id)).toEqual(['7', expect.stringMatching(/^sha256:/)]);
});

test('a captured delivery without a time cannot be replayed after its payload was deleted', async () => {
  const acmes = await connected();
  expect((await deliver(acmes, '{"n":1}')).text).toContain('"duplicate":false');
  await hub.database.pool.query("UPDATE inbound_events SET received_at = now() - interval '31 days'");
  await hub.app.get(InboundSweeper, { strict: false }).sweep();
  expect(await stored(acmes.client)).toEqual([]);
  const given = (await jobs(acmes.client)).length;
  expect((await deliver(acmes, '{"n":1}')).text).toContain('"duplicate":true');
  expect([await stored(acmes.client), (await jobs(acmes.client)).length]).toEqual([[], given]);
});

test('a body that is too large is refused before it is looked at', async () => {
  const acmes = await connected();
  expect((await deliver(acmes, 'x'.repeat(2 * 1024 * 1024 + 1))).status).toBe(413);
  expect((await deliver(acmes, 'x'.repeat(2 * 1024 * 1024))).status).toBe(200);
});

test('a delivery whose job cannot be enqueued is not stored and returns an error, so that the provider sends it again', async () => {
  const acmes = await connected();
  await hub.database.pool.query('ALTER TABLE plugin_jobs ADD CONSTRAINT broken CHECK (false) NOT VALID');
  expect((await deliver(acmes, '{"n":1}')).status).toBeGreaterThanOrEqual(500);
  expect(await stored(acmes.client)).toEqual([]);
  await hub.database.pool.query('ALTER TABLE plugin_jobs DROP CONSTRAINT broken');
  expect((await deliver(acmes, '{"n":1}')).text).toBe('{"ok":true,"duplicate":false}');
  expect([(await stored(acmes.client)).length, (await jobs(acmes.client)).length]).toEqual([1, 1]);
});

test('forgeries are shed in the end, and do not shed what is signed', async () => {
  const acmes = await connected();
  const forge = async (path: string) => (await send(path, '{}', { 'x-acme-signature': 'sha256=0' })).status;
  for (let n = 0; n < 100; n++) expect([401, 429]).toContain(await forge(`${acmes.base}/calls`));
  const unknown = `${hub.url}/hooks/${randomBytes(40).toString('base64url')}/calls`;
  const calls = await countConnects(hub.database, async () => {
    const paths = [`${acmes.base}/calls`, unknown].flatMap(path => Array<string>(10).fill(path));
    expect(await Promise.all(paths.map(forge))).toEqual(Array(20).fill(429));
  });
  expect(calls).toBeLessThan(10);
  expect((await deliver(acmes, '{}')).status).toBe(200);
});
