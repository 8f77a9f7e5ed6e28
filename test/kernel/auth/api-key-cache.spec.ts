import { OPERATOR } from '#domain/actor/actor.js';
import { ApiKeysService, type IssuedKey } from '#kernel/auth/api-keys.service.js';
import { ApiKeyLookup, ApiKeyCache } from '#kernel/auth/api-key.lookup.js';
import { generateKey } from '#kernel/auth/key-format.js';
import type { Database } from '#kernel/db/database.js';
import { createWorkspace, setPlan } from '#kernel/workspaces/workspaces.repository.js';
import { flakyConnection } from '../../support/network/flaky-connection.js';
import { freshDirectory, openDirectory } from '../../support/database/directory-database.js';

const SECOND = 1_000_000;
const keys = new ApiKeysService();
let database: Database;
let drop: () => Promise<void>;
let workspaceId: string;
let first: IssuedKey;
let transactions = 0;

beforeAll(async () => {
  ({ database, drop } = await freshDirectory());
  database.pool.on('acquire', () => transactions++);
});
afterAll(() => drop());
beforeEach(async () => {
  const made = await createWorkspace(database.work, { name: 'Acme', plan: 'starter' });
  [workspaceId, first] = [made.workspace.id, made];
  transactions = 0;
});

/** A key ring with a clock that only the test moves. */
function ringWithClock() {
  const clock = { ms: 1, now: () => clock.ms };
  return { clock, ring: new ApiKeyCache(new ApiKeyLookup(database.work), clock) };
}

const revoke = (id = first.apiKey.id) => database.work.run(workspaceId, tx => keys.revoke(tx, id));

describe('a good key', () => {
  it('stands for its workspace, its plan and its scopes', async () => {
    const { ring } = ringWithClock();
    expect(await ring.resolve(first.key)).toEqual({
      workspaceId,
      actor: { kind: 'key', id: first.apiKey.id },
      plan: 'starter',
      scopes: ['read', 'write', 'admin', 'settings'],
    });
  });

  it('costs one transaction, however many ask at once, and none after that', async () => {
    const { ring } = ringWithClock();
    const callers = await Promise.all(Array.from({ length: 64 }, () => ring.resolve(first.key)));
    expect(new Set(callers).size).toBe(1);
    expect(transactions).toBe(1);
    for (let i = 0; i < 100; i++) await ring.resolve(first.key);
    expect(transactions).toBe(1);
  });

  it('follows a change of plan within five seconds', async () => {
    const { ring, clock } = ringWithClock();
    await ring.resolve(first.key);
    await setPlan(database.work, workspaceId, 'scale');
    clock.ms += 4_999;
    expect(await ring.resolve(first.key)).toMatchObject({ plan: 'scale' });
  });
});

describe('a revoked key', () => {
  it('is refused at once by the process that revoked it', async () => {
    const { ring } = ringWithClock();
    await ring.resolve(first.key);
    await revoke();
    expect(await ring.resolve(first.key)).toBeDefined();
    ring.markRevoked(first.apiKey.id);
    expect(await ring.resolve(first.key)).toBeUndefined();
  });

  it('is refused even when it was being looked up before it was revoked', async () => {
    const { ring, clock } = ringWithClock();
    const meanwhile = ring.resolve(first.key);
    ring.markRevoked(first.apiKey.id);
    expect(await meanwhile).toBeUndefined();
    clock.ms += 3_999;
    expect(await ring.resolve(first.key)).toBeUndefined();
    expect(transactions).toBe(1);
  });

  it('is refused within five seconds by every other process, and for ever', async () => {
    const { ring, clock } = ringWithClock();
    await ring.resolve(first.key);
    await revoke();
    for (let tries = 0; tries < 5; tries++) {
      clock.ms += 4_999;
      expect(await ring.resolve(first.key)).toBeUndefined();
    }
  });
});

describe('a key that expires', () => {
  const expiring = async (instant: (now: number) => number) =>
    database.work.run(workspaceId, async tx =>
      keys.create(tx, {
        name: 'short',
        scopes: ['read'],
        origin: 'api',
        createdBy: OPERATOR,
        expiresAt: instant(await tx.now()),
      }),
    );

  it('does so to the millisecond, although it is remembered', async () => {
    const { ring, clock } = ringWithClock();
    const { key, apiKey } = await expiring(now => now + 2 * SECOND);
    expect(await ring.resolve(key)).toBeDefined();
    expect(await ring.resolve(key)).toBeDefined();
    expect(transactions).toBe(2);
    await database.work.system(tx =>
      tx.query(`UPDATE api_keys SET expires_at = now() - interval '1 hour' WHERE id = $1`, [apiKey.id]),
    );
    clock.ms += 2_001;
    expect(await ring.resolve(key)).toBeUndefined();
  });

  it('is refused if it expired before its first lookup', async () => {
    const { ring } = ringWithClock();
    const { key, apiKey } = await expiring(now => now + SECOND);
    await database.work.system(tx =>
      tx.query(`UPDATE api_keys SET expires_at = now() - interval '1 microsecond' WHERE id = $1`, [apiKey.id]),
    );
    expect(await ring.resolve(key)).toBeUndefined();
  });
});

describe('a key that nobody owns', () => {
  it('is refused without a look at the database when it is mistyped', async () => {
    const { ring } = ringWithClock();
    const { key } = first;
    for (const wrong of ['', 'x', key.slice(0, -1), key.toLowerCase(), `${key}0`]) {
      expect(await ring.resolve(wrong)).toBeUndefined();
    }
    expect(transactions).toBe(0);
  });

  it('is looked up once', async () => {
    const { ring } = ringWithClock();
    const { key } = generateKey();
    await Promise.all([ring.resolve(key), ring.resolve(key)]);
    expect(await ring.resolve(key)).toBeUndefined();
    expect(transactions).toBe(1);
  });

  it('cannot, in a flood of others, take the connections or the places of good keys', async () => {
    const { ring } = ringWithClock();
    await ring.resolve(first.key);
    let most = 0;
    const count = () => (most = Math.max(most, database.pool.totalCount - database.pool.idleCount));
    database.pool.on('acquire', count);
    const answers = await Promise.all(Array.from({ length: 2_000 }, () => ring.resolve(generateKey().key)));
    database.pool.off('acquire', count);
    expect(answers.every(answer => answer === undefined)).toBe(true);
    expect(most).toBeLessThanOrEqual(2);
    const before = transactions;
    expect(await ring.resolve(first.key)).toBeDefined();
    expect(transactions).toBe(before);
  });
});

describe('when the database is away', () => {
  it('a key that needs a lookup is unavailable, never unknown, and valid again afterwards', async () => {
    const link = await flakyConnection(database.url);
    const linked = await openDirectory(link.url);
    const clock = { ms: 1, now: () => clock.ms };
    const ring = new ApiKeyCache(new ApiKeyLookup(linked.work), clock);
    try {
      link.cut();
      await expect(ring.resolve(first.key)).rejects.toMatchObject({ code: 'unavailable' });
      link.repair();
      expect(await ring.resolve(first.key)).toBeDefined();
      link.cut();
      expect(await ring.resolve(first.key)).toBeDefined();
      clock.ms += 5_000;
      await expect(ring.resolve(first.key)).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      link.repair();
      await linked.close();
      link.close();
    }
  });
});
