import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Actor, OPERATOR } from '#domain/actor/actor.js';
import { DAY_US, toIso } from '#domain/time/instant.js';
import { ApiKeysService, type IssuedKey, issueKey, MAX_LIVING_KEYS } from '#kernel/auth/api-keys.service.js';
import type { Scope } from '#kernel/auth/caller.js';
import type { Database } from '#kernel/db/database.js';
import { type CreatedWorkspace, createWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import { freshDirectory } from '../../support/database/directory-database.js';
import { startGuardedApp } from '../../support/guarded-app.js';

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
  mine = await createWorkspace(database.work, { name: 'Acme', plan: 'scale' });
});

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly expires_at: string | null;
  readonly created_by: Actor;
}

interface Body extends KeyRow {
  readonly error?: string;
  readonly detail?: string;
  readonly details?: readonly { field: string }[];
  readonly descendants?: readonly string[];
  readonly api_keys: readonly KeyRow[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

async function call(method: string, path: string, key: string, body?: object) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Body };
}

const create = (key: string, body: object) => call('POST', '/v2/api-keys', key, { name: 'child', ...body });
const statusOf = async (key: string) => (await call('GET', '/probe/caller', key)).status;

/** Creates a key of the workspace as the operator does. */
function operatorKey(scopes: Scope[], expiresAt?: (now: number) => number): Promise<IssuedKey> {
  return database.work.run(mine.workspace.id, async tx => {
    const at = expiresAt?.(await tx.now());
    return service.create(tx, { name: 'by operator', scopes, origin: 'admin', createdBy: OPERATOR, expiresAt: at });
  });
}

describe('a key of limited life', () => {
  it('creates no key that outlives it', async () => {
    const maker = await operatorKey(['read', 'settings'], now => now + DAY_US);
    const latest = toIso(maker.apiKey.expiresAt!);
    const silent = await create(maker.key, { scopes: ['read'] });
    expect(silent).toMatchObject({ status: 201, body: { expires_at: latest } });
    for (const late of [{ expires_in_days: 2 }, { expires_at: '2090-01-01' }]) {
      const refused = await create(maker.key, { scopes: ['read'], ...late });
      expect(refused).toMatchObject({ status: 400, body: { details: [{ field: 'expires_at' }] } });
      expect(refused.body.detail).toContain(latest);
    }
    const soon = toIso(maker.apiKey.expiresAt! - 1_000_000);
    expect((await create(maker.key, { scopes: ['read'], expires_at: soon })).body.expires_at).toBe(soon);
    const grandchild = await create((await create(maker.key, { scopes: ['settings'] })).body.key, {
      scopes: ['settings'],
    });
    expect(grandchild.body.expires_at).toBe(latest);
  });

  it('creates none after its end, although another process still remembers it', async () => {
    const maker = await operatorKey(['read', 'settings']);
    expect(await statusOf(maker.key)).toBe(200);
    await database.work.run(mine.workspace.id, tx => service.revoke(tx, maker.apiKey.id));
    expect(await statusOf(maker.key)).toBe(200);
    const refused = await create(maker.key, { scopes: ['read'] });
    expect(refused).toEqual({ status: 401, body: { error: 'unauthorized' } });
  });
});

describe('the creator of a key', () => {
  it('is shown: the operator, a key, or a key from a sign-in', async () => {
    const child = await create(mine.key, { scopes: ['read', 'settings'] });
    expect(child.body.created_by).toEqual({ kind: 'key', id: mine.apiKey.id });
    const byOAuth = await database.work.run(mine.workspace.id, tx =>
      service.create(tx, {
        name: 'agent',
        scopes: ['settings'],
        origin: 'oauth',
        createdBy: { kind: 'key', id: child.body.id },
      }),
    );
    const ofAgent = await create(byOAuth.key, { scopes: ['settings'] });
    expect(ofAgent.body.created_by).toEqual({ kind: 'oauth', id: byOAuth.apiKey.id });
    const { body } = await call('GET', '/v2/api-keys', mine.key);
    expect(body.api_keys.map(({ created_by }) => created_by.kind)).toEqual(['oauth', 'key', 'key', 'operator']);
  });
});

describe('the revocation of a key', () => {
  /** A key, its child, its grandchild from a sign-in, and a great-grandchild; and a sibling of the first. */
  async function lineage() {
    const root = (await create(mine.key, { name: 'root', scopes: ['read', 'settings'] })).body;
    const child = (await create(root.key, { name: 'child', scopes: ['read', 'settings'] })).body;
    const grandchild = await database.work.run(mine.workspace.id, tx =>
      service.create(tx, {
        name: 'grandchild',
        scopes: ['read', 'settings'],
        origin: 'oauth',
        createdBy: { kind: 'key', id: child.id },
      }),
    );
    const last = (await create(grandchild.key, { name: 'last', scopes: ['read', 'settings'] })).body;
    const sibling = (await create(mine.key, { name: 'sibling', scopes: ['read', 'settings'] })).body;
    return { root, child, grandchild: { id: grandchild.apiKey.id, key: grandchild.key }, last, sibling };
  }

  it('leaves the descendants alone unless they are named', async () => {
    const { root, child, last } = await lineage();
    const revoked = await call('DELETE', `/v2/api-keys/${root.id}`, mine.key);
    expect(revoked).toMatchObject({ status: 200, body: { descendants: [] } });
    expect([await statusOf(root.key), await statusOf(child.key), await statusOf(last.key)]).toEqual([401, 200, 200]);
  });

  it('takes all descendants along, also below a key that was revoked before', async () => {
    const { root, child, grandchild, last, sibling } = await lineage();
    await call('DELETE', `/v2/api-keys/${child.id}`, mine.key);
    await Promise.all([root, grandchild, last].map(({ key }) => statusOf(key)));
    const revoked = await call('DELETE', `/v2/api-keys/${root.id}?descendants=true`, mine.key);
    expect(revoked.body.descendants).toEqual([grandchild.id, last.id].toSorted());
    for (const { key } of [root, child, grandchild, last]) expect(await statusOf(key)).toBe(401);
    expect([await statusOf(sibling.key), await statusOf(mine.key)]).toEqual([200, 200]);
    const again = await call('DELETE', `/v2/api-keys/${root.id}?descendants=true`, mine.key);
    expect(again).toMatchObject({ status: 200, body: { descendants: [] } });
  });

  it('leaves no descendant that was created at the same moment', async () => {
    const { root, child } = await lineage();
    const [revoked, ...made] = await Promise.all([
      call('DELETE', `/v2/api-keys/${root.id}?descendants=true`, mine.key),
      ...Array.from({ length: 8 }, () => create(child.key, { scopes: ['read'] })),
    ]);
    expect(revoked.status).toBe(200);
    const { body } = await call('GET', '/v2/api-keys', mine.key);
    const living = body.api_keys.map(({ name }) => name);
    expect(living.toSorted()).toEqual(['first key', 'sibling']);
    for (const { status } of made) expect([201, 401]).toContain(status);
  });

  it('of a key of the operator is not for the tenant, except with the key itself', async () => {
    const theirs = await operatorKey(['read', 'admin']);
    for (const query of ['', '?descendants=true']) {
      const refused = await call('DELETE', `/v2/api-keys/${theirs.apiKey.id}${query}`, mine.key);
      expect(refused).toMatchObject({ status: 403, body: { error: 'operator_key' } });
    }
    expect(await statusOf(theirs.key)).toBe(200);
    expect((await call('DELETE', `/v2/api-keys/${theirs.apiKey.id}`, theirs.key)).status).toBe(200);
    expect(await statusOf(theirs.key)).toBe(401);
  });

  it('of a key with the scope admin needs that scope', async () => {
    const admin = (await create(mine.key, { scopes: ['admin'] })).body;
    const settings = (await create(mine.key, { scopes: ['settings'] })).body;
    const refused = await call('DELETE', `/v2/api-keys/${admin.id}`, settings.key);
    expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden_scope', scope: 'admin' } });
    expect((await call('DELETE', `/v2/api-keys/${settings.id}`, admin.key)).status).toBe(200);
  });
});

describe('the scope settings', () => {
  it('manages keys, and is part of admin', async () => {
    const settings = (await create(mine.key, { scopes: ['read', 'settings'] })).body;
    expect((await create(settings.key, { scopes: ['settings'] })).status).toBe(201);
    for (const scope of ['write', 'admin']) {
      const refused = await create(settings.key, { scopes: [scope] });
      expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden_scope', scope } });
    }
    const writer = (await create(mine.key, { scopes: ['read', 'write'] })).body;
    const refused = await create(writer.key, { scopes: ['read'] });
    expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden_scope', scope: 'settings' } });
    expect(refused.body.detail).toContain('An admin of the workspace can grant it');
    expect((await call('GET', '/v2/api-keys', writer.key)).status).toBe(403);
  });
});

describe('the list of keys', () => {
  it('pages through active, expired and revoked keys, each newest first', async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.push((await create(mine.key, { name: `n${i}` })).body.id);
    await call('DELETE', `/v2/api-keys/${made[1]}`, mine.key);
    await call('DELETE', `/v2/api-keys/${made[3]}`, mine.key);
    await database.work.system(tx => tx.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [made[0]]));
    const walk = async (state: string): Promise<string[]> => {
      const ids: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { body }: { body: Body } = await call('GET', `/v2/api-keys?state=${state}&limit=1${more}`, mine.key);
        expect(body.has_more).toBe(body.next_cursor !== null);
        ids.push(...body.api_keys.map(({ id }) => id));
        cursor = body.next_cursor;
      }
      return ids;
    };
    expect(await walk('active')).toEqual([made[4], made[2], mine.apiKey.id]);
    expect(await walk('revoked')).toEqual([made[3], made[1]]);
    expect(await walk('expired')).toEqual([made[0]]);
  });

  it('refuses unknown states and foreign cursors', async () => {
    const state = await call('GET', '/v2/api-keys?state=all', mine.key);
    expect(state).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const cursor = await call('GET', '/v2/api-keys?cursor=x', mine.key);
    expect(cursor).toMatchObject({ status: 400, body: { error: 'cursor_mismatch' } });
  });
});

describe('a workspace', () => {
  it('holds a limited number of living keys, also when they are created at once', async () => {
    await database.work.system(async tx => {
      for (let i = 0; i < MAX_LIVING_KEYS - 3; i++) {
        const input = { name: 'many', scopes: ['read'], origin: 'api', createdBy: OPERATOR } as const;
        await issueKey(tx, mine.workspace.id, input);
      }
    });
    const made = await Promise.all(Array.from({ length: 6 }, () => create(mine.key, { scopes: ['read'] })));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403, 403]);
    const refused = made.find(({ status }) => status === 403)!.body;
    expect(refused).toMatchObject({ error: 'quota_exceeded', quota: 'api_keys', limit: MAX_LIVING_KEYS });
    const living = made.find(({ status }) => status === 201)!.body;
    await call('DELETE', `/v2/api-keys/${living.id}`, mine.key);
    expect((await create(mine.key, { scopes: ['read'] })).status).toBe(201);
  });
});
