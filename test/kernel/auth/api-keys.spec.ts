import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import type { Scope } from '#kernel/auth/caller.js';
import { generateKey } from '#kernel/auth/key-format.js';
import type { Database } from '#kernel/db/database.js';
import { type CreatedWorkspace, createWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import { freshDirectory } from '../../support/database/directory-database.js';
import { startGuardedApp } from '../../support/guarded-app.js';
import { rawRequest } from '../../support/network/raw-request.js';

const service = new ApiKeysService();
let database: Database;
let drop: () => Promise<void>;
let app: NestFastifyApplication;
let url: string;
let mine: CreatedWorkspace;

beforeAll(async () => {
  ({ database, drop } = await freshDirectory());
  ({ app, url } = await startGuardedApp(database));
});
afterAll(async () => {
  await app.close();
  await drop();
});
beforeEach(async () => {
  mine = await createWorkspace(database.work, { name: 'Acme', plan: 'growth' });
});

/** Every answer has some of these. */
interface Said {
  readonly [field: string]: unknown;
  readonly key: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly revoked_at: string;
  readonly api_keys: readonly object[];
}

async function call(method: string, path: string, { key = mine.key, body, ...headers }: Record<string, unknown> = {}) {
  const answer = await fetch(url + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      ...(headers as Record<string, string>),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Said };
}

const newKey = (scopes: Scope[]) =>
  database.work.run(mine.workspace.id, tx =>
    service.create(tx, { name: 'other', scopes, origin: 'api', createdBy: { kind: 'key', id: mine.apiKey.id } }),
  );

describe('a request', () => {
  it('is known by Bearer in any case, by X-API-Key, or by both when they agree', async () => {
    const caller = {
      workspaceId: mine.workspace.id,
      actor: { kind: 'key', id: mine.apiKey.id },
      plan: 'growth',
      scopes: ['read', 'write', 'admin', 'settings'],
    };
    for (const headers of [
      [`Authorization: Bearer ${mine.key}`],
      [`authorization: bEARER ${mine.key}`],
      [`X-API-Key: ${mine.key}`],
      [`X-API-Key: ${mine.key}`, `Authorization: Bearer ${mine.key}`],
    ]) {
      const { status, body } = await rawRequest(url, 'GET /probe/caller', headers);
      expect([status, JSON.parse(body)]).toEqual([200, caller]);
    }
  });

  it('gets 401 with the same few words, whatever is wrong with its key', async () => {
    const { key } = mine;
    const expired = await newKey(['read']);
    const revoked = await newKey(['read']);
    await database.work.system(tx =>
      tx.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [expired.apiKey.id]),
    );
    await database.work.run(mine.workspace.id, tx => service.revoke(tx, revoked.apiKey.id));
    const bearer = (text: string) => [`Authorization: Bearer ${text}`];
    const refused: Record<string, [string, string[]]> = {
      'no key': ['/probe/caller', []],
      expired: ['/probe/caller', bearer(expired.key)],
      revoked: ['/probe/caller', bearer(revoked.key)],
      unknown: ['/probe/caller', bearer(generateKey().key)],
      truncated: ['/probe/caller', bearer(key.slice(0, -1))],
      'wrong case': ['/probe/caller', bearer(key.toUpperCase())],
      'header twice': ['/probe/caller', [...bearer(key), ...bearer(generateKey().key)]],
      'the same header twice': ['/probe/caller', [...bearer(key), ...bearer(key)]],
      'two headers that disagree': ['/probe/caller', [...bearer(key), `X-API-Key: ${generateKey().key}`]],
      'key in the query': [`/probe/caller?key=${key}`, []],
      'another scheme': ['/probe/caller', [`Authorization: Basic ${key}`]],
      'not a key at all': ['/probe/caller', bearer("' OR 1=1 --".replaceAll(' ', ''))],
    };
    for (const [what, [path, headers]] of Object.entries(refused)) {
      const { status, head, body } = await rawRequest(url, `GET ${path}`, headers);
      expect([what, status, body]).toEqual([what, 401, '{"error":"unauthorized"}']);
      expect(head.toLowerCase()).toContain('www-authenticate: bearer realm="rapport"');
    }
  });

  it('costs no query for its key once that is known', async () => {
    await call('GET', '/probe/caller');
    let transactions = 0;
    const count = () => transactions++;
    database.pool.on('acquire', count);
    await Promise.all(Array.from({ length: 50 }, () => call('GET', '/probe/caller')));
    database.pool.off('acquire', count);
    expect(transactions).toBe(0);
  });

  it('is let in by scope: read to read, write to write, and as a route declares', async () => {
    const declared: Record<string, (scopes: Scope[]) => boolean> = {
      'GET /probe': scopes => scopes.includes('read'),
      'POST /probe/write': scopes => scopes.includes('write'),
      'POST /probe/search': scopes => scopes.includes('read'),
      'GET /probe/hidden': scopes => scopes.includes('read') && scopes.includes('internal'),
      'POST /probe/any': () => true,
      'GET /probe/open': () => true,
      'GET /v2/api-keys': scopes => scopes.includes('settings') || scopes.includes('admin'),
    };
    for (const scopes of [
      ['read'],
      ['write'],
      ['settings'],
      ['admin'],
      ['internal'],
      ['read', 'internal'],
      ['read', 'write'],
    ] as Scope[][]) {
      const { key } = await newKey(scopes);
      for (const [route, may] of Object.entries(declared)) {
        const [method = '', path = ''] = route.split(' ');
        const { status, body } = await call(method, path, { key });
        const refused = { status: 403, error: 'forbidden_scope' };
        const expected = may(scopes) ? { status: method === 'GET' ? 200 : 201 } : refused;
        expect({ route, scopes, status, ...body }).toMatchObject({ route, scopes, ...expected });
      }
    }
  });

  it('to an open route needs no key', async () => {
    expect((await rawRequest(url, 'GET /probe/open', [])).status).toBe(200);
  });
});

describe('/v2/api-keys', () => {
  it('makes a key, shows it once and never again', async () => {
    const made = await call('POST', '/v2/api-keys', {
      body: { name: ' Agent ', scopes: ['read'], expires_in_days: 30 },
    });
    expect(made.status).toBe(201);
    const { key, ...row } = made.body;
    expect(row).toEqual({
      id: expect.any(String),
      name: 'Agent',
      prefix: key.slice(0, 13),
      last_four: key.slice(-4),
      scopes: ['read'],
      origin: 'api',
      created_by: { kind: 'key', id: mine.apiKey.id },
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      expires_at: expect.any(String),
      revoked_at: null,
      last_used_at: null,
      last_used_client: null,
    });
    expect(Date.parse(row.expires_at) - Date.parse(row.created_at)).toBe(30 * 86_400_000);
    expect((await call('GET', '/probe/caller', { key })).status).toBe(200);
    const listed = await call('GET', '/v2/api-keys');
    const first = { name: 'first key', origin: 'admin', created_by: { kind: 'operator', id: 'admin' } };
    const page = { limit: 100, has_more: false, next_cursor: null };
    expect(listed.body).toEqual({ api_keys: [row, expect.objectContaining(first)], ...page });
    expect(JSON.stringify(listed.body)).not.toContain(key.slice(13, -4));
  });

  it('reads and writes by default, for ever, or until a moment', async () => {
    const plain = await call('POST', '/v2/api-keys', { body: { name: 'plain' } });
    expect(plain.body).toMatchObject({ scopes: ['read', 'write'], expires_at: null });
    const until = await call('POST', '/v2/api-keys', { body: { name: 'until', expires_at: '2090-01-02T03:04:05Z' } });
    expect(until.body).toMatchObject({ expires_at: '2090-01-02T03:04:05.000000Z' });
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'n', scopes: [] }, 'scopes'],
    [{ name: 'n', scopes: ['read', 'read'] }, 'scopes'],
    [{ name: 'n', scopes: ['internal'] }, 'scopes'],
    [{ name: 'n', scopes: ['everything'] }, 'scopes'],
    [{ name: 'n', scopes: 'read' }, 'scopes'],
    [{ name: 'n', expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'n', expires_at: '2020-01-01' }, 'expires_at'],
    [{ name: 'n', expires_in_days: 0 }, 'expires_in_days'],
    [{ name: 'n', expires_in_days: 1.5 }, 'expires_in_days'],
    [{ name: 'n', expires_in_days: 1, expires_at: '2090-01-01' }, 'expires_at'],
    [{ name: 'n', workspace_id: 'x' }, 'workspace_id'],
    [{ name: 'n', origin: 'admin' }, 'origin'],
  ])('refuses %j because of %s', async (body, field) => {
    const { status, body: answer } = await call('POST', '/v2/api-keys', { body });
    expect(status).toBe(400);
    expect(answer).toMatchObject({
      error: 'invalid_request',
      details: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  });

  it('hands on no scope that the calling key lacks', async () => {
    const { key } = await newKey(['read', 'admin']);
    const refused = await call('POST', '/v2/api-keys', { key, body: { name: 'n', scopes: ['read', 'write'] } });
    expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden_scope', scope: 'write' } });
    const granted = await call('POST', '/v2/api-keys', { key, body: { name: 'n', scopes: ['read', 'admin'] } });
    expect(granted.status).toBe(201);
  });

  it('revokes at once and for good, and may be repeated', async () => {
    const { key, apiKey } = await newKey(['read']);
    expect((await call('GET', '/probe/caller', { key })).status).toBe(200);
    const revoked = await call('DELETE', `/v2/api-keys/${apiKey.id.toUpperCase()}`);
    expect(revoked).toMatchObject({
      status: 200,
      body: { id: apiKey.id, revoked: true, revoked_at: expect.any(String), descendants: [] },
    });
    expect((await call('GET', '/probe/caller', { key })).status).toBe(401);
    expect((await call('DELETE', `/v2/api-keys/${apiKey.id}`)).body).toEqual(revoked.body);
    const { body } = await call('GET', '/v2/api-keys?state=revoked');
    expect(body.api_keys).toMatchObject([{ id: apiKey.id, revoked_at: revoked.body.revoked_at }]);
  });

  it('lets a key revoke itself', async () => {
    expect((await call('DELETE', `/v2/api-keys/${mine.apiKey.id}`)).status).toBe(200);
    expect((await call('GET', '/probe/caller')).status).toBe(401);
  });

  it('knows no key of another workspace', async () => {
    const theirs = await createWorkspace(database.work, { name: 'Theirs', plan: 'scale' });
    for (const id of [theirs.apiKey.id, mine.workspace.id, 'nonsense', '%27']) {
      const { status, body } = await call('DELETE', `/v2/api-keys/${id}`);
      expect([id, status, body['error']]).toEqual([id, 404, 'not_found']);
    }
    expect((await call('GET', '/probe/caller', { key: theirs.key })).status).toBe(200);
    expect(JSON.stringify((await call('GET', '/v2/api-keys')).body)).not.toContain(theirs.apiKey.id);
  });

  it('rotates a key: a new one takes its place, and it works for some hours more', async () => {
    const { key, apiKey } = await newKey(['read', 'write']);
    const rotated = await call('POST', `/v2/api-keys/${apiKey.id}/rotate`, { body: { grace_hours: 2 } });
    expect(rotated).toMatchObject({
      status: 201,
      body: {
        name: 'other',
        scopes: ['read', 'write'],
        origin: 'api',
        created_by: { kind: 'key', id: mine.apiKey.id },
        expires_at: null,
        previous: { id: apiKey.id },
      },
    });
    const { works_until } = rotated.body['previous'] as { works_until: string };
    expect(Date.parse(works_until) - Date.parse(rotated.body.created_at)).toBe(2 * 3_600_000);
    for (const each of [key, rotated.body.key])
      expect((await call('GET', '/probe/caller', { key: each })).status).toBe(200);
    const { body } = await call('GET', '/v2/api-keys');
    expect(body.api_keys).toContainEqual(expect.objectContaining({ id: apiKey.id, expires_at: works_until }));
    await database.work.run(mine.workspace.id, tx =>
      tx.query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [apiKey.id]),
    );
    expect((await call('POST', `/v2/api-keys/${apiKey.id}/rotate`, { body: {} })).status).toBe(404);
  });

  it('rotates a key without grace: it stops working at once', async () => {
    const request = { body: { grace_hours: 0 }, 'Idempotency-Key': 'rotate-one' };
    const { key, apiKey } = await newKey(['read']);
    expect((await call('GET', '/probe/caller', { key })).status).toBe(200);
    const first = await call('POST', `/v2/api-keys/${apiKey.id}/rotate`, request);
    expect((await call('GET', '/probe/caller', { key })).status).toBe(401);
    const again = await call('POST', `/v2/api-keys/${apiKey.id}/rotate`, request);
    expect(again).toMatchObject({ status: 201, body: { previous: first.body['previous'] } });
    expect(again.body).not.toHaveProperty('key');
    expect((await call('GET', '/v2/api-keys')).body.api_keys).toHaveLength(2);
  });

  it('keeps an earlier expiry when it rotates a key, and lets a key rotate itself', async () => {
    const made = await call('POST', '/v2/api-keys', {
      body: { name: 'short', scopes: ['settings'], expires_in_days: 2 },
    });
    const rotated = await call('POST', `/v2/api-keys/${made.body['id'] as string}/rotate`, {
      key: made.body.key,
      body: { grace_hours: 168 },
    });
    expect(rotated).toMatchObject({
      status: 201,
      body: { expires_at: made.body.expires_at, previous: { works_until: made.body.expires_at } },
    });
  });

  it('rotates no key of the operator, of another workspace, or with a scope that the caller lacks', async () => {
    const { key } = await newKey(['read', 'settings']);
    const rotate = (id: string) => call('POST', `/v2/api-keys/${id}/rotate`, { key, body: {} });
    expect(await rotate(mine.apiKey.id)).toMatchObject({ status: 403, body: { error: 'operator_key' } });
    const { apiKey: writer } = await newKey(['write']);
    expect(await rotate(writer.id)).toMatchObject({ status: 403, body: { error: 'forbidden_scope', scope: 'write' } });
    const theirs = await createWorkspace(database.work, { name: 'Theirs', plan: 'scale' });
    for (const id of [theirs.apiKey.id, 'nonsense']) expect((await rotate(id)).status).toBe(404);
    for (const grace_hours of [-1, 169, 1.5, '2', null]) {
      const { status, body } = await call('POST', `/v2/api-keys/${writer.id}/rotate`, { body: { grace_hours } });
      expect([status, body['details']]).toMatchObject([400, [{ field: 'grace_hours' }]]);
    }
  });

  it('makes one key per Idempotency-Key, and keeps the text of a key nowhere', async () => {
    const request = { body: { name: 'once' }, 'Idempotency-Key': 'make-one' };
    const first = await call('POST', '/v2/api-keys', request);
    const again = await call('POST', '/v2/api-keys', request);
    const { key, ...row } = first.body;
    expect(again).toMatchObject({ status: 201, body: row });
    expect(again.body).not.toHaveProperty('key');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await call('GET', '/v2/api-keys')).body.api_keys).toHaveLength(2);
    const stored = await database.work.system(tx => tx.query('SELECT * FROM idempotency_keys'));
    expect(JSON.stringify(stored)).not.toContain(key.slice(13, -4));
  });

  it('tells when and by which client a key was last used', async () => {
    await call('GET', '/v2/api-keys', { 'x-rapport-client': 'mcp' });
    const { KeyUsageService } = await import('#kernel/auth/api-key.lookup.js');
    await app.get(KeyUsageService, { strict: false }).flush();
    const { body } = await call('GET', '/v2/api-keys');
    expect(body.api_keys[0]).toMatchObject({ last_used_client: 'mcp', last_used_at: expect.any(String) });
  });
});
