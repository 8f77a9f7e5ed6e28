import { OPERATOR } from '#domain/actor/actor.js';
import { DAY_US } from '#domain/time/instant.js';
import { ApiKeyEntity } from '#kernel/auth/api-key.entity.js';
import { ApiKeysService, issueKey } from '#kernel/auth/api-keys.service.js';
import { hashKey } from '#kernel/auth/key-format.js';
import type { Database } from '#kernel/db/database.js';
import { createWorkspace, findWorkspace, listWorkspaces, setPlan } from '#kernel/workspaces/workspaces.repository.js';
import { freshDirectory } from '../../support/database/directory-database.js';

const keys = new ApiKeysService();
let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => ({ database, drop } = await freshDirectory()));
afterAll(() => drop());

const newWorkspace = () => createWorkspace(database.work, { name: 'Acme', plan: 'growth' });

const listActive = async (workspace: string) =>
  (await database.work.run(workspace, tx => keys.list(tx, { state: 'active', limit: 200 }))).keys;

describe('workspaces', () => {
  it('come with a first key of three scopes, of which only the hash is stored', async () => {
    const { workspace, apiKey, key } = await newWorkspace();
    expect(workspace).toMatchObject({ name: 'Acme', plan: 'growth' });
    expect(apiKey).toMatchObject({ name: 'first key', scopes: ['read', 'write', 'admin'], origin: 'admin' });
    const stored = await database.work.system(tx => tx.query('SELECT * FROM api_keys WHERE id = $1', [apiKey.id]));
    expect(stored).toMatchObject([{ hash: hashKey(key), prefix: key.slice(0, 13), last_four: key.slice(-4) }]);
    expect(JSON.stringify(stored)).not.toContain(key.slice(13, -4));
  });

  it('are made with their key or not at all', async () => {
    const before = (await listWorkspaces(database.work)).length;
    await expect(createWorkspace(database.work, { name: 'x'.repeat(201), plan: 'scale' })).rejects.toThrow();
    expect(await listWorkspaces(database.work)).toHaveLength(before);
  });

  it('take another plan; an unknown one is null', async () => {
    const { workspace } = await newWorkspace();
    expect(await setPlan(database.work, workspace.id, 'scale')).toMatchObject({ plan: 'scale' });
    expect(await findWorkspace(database.work, workspace.id)).toMatchObject({
      plan: 'scale',
      createdAt: workspace.createdAt,
    });
    expect(await setPlan(database.work, '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17', 'scale')).toBeNull();
  });
});

describe('entities inside a transaction', () => {
  it('are read, changed and flushed in that very transaction, and gone when it fails', async () => {
    const { workspace, apiKey } = await newWorkspace();
    const attempt = database.work.run(workspace.id, async tx => {
      const em = await tx.entityManager();
      const key = await em.findOneOrFail(ApiKeyEntity, { workspaceId: workspace.id, id: apiKey.id });
      key.name = 'renamed';
      await em.flush();
      expect(await tx.query('SELECT name FROM api_keys WHERE id = $1', [apiKey.id])).toEqual([{ name: 'renamed' }]);
      throw new Error('never mind');
    });
    await expect(attempt).rejects.toThrow('never mind');
    const [saved] = await listActive(workspace.id);
    expect(saved).toMatchObject({ name: 'first key', createdAt: apiKey.createdAt, expiresAt: null });
  });

  it('send nothing for what was only read, instants included', async () => {
    const { workspace, apiKey } = await newWorkspace();
    await database.work.run(workspace.id, async tx => {
      const em = await tx.entityManager();
      const key = await em.findOneOrFail(ApiKeyEntity, { workspaceId: workspace.id, id: apiKey.id });
      em.getUnitOfWork().computeChangeSets();
      expect(
        em
          .getUnitOfWork()
          .getChangeSets()
          .map(({ payload }) => payload),
      ).toEqual([]);
      expect(key.createdAt).toBe(apiKey.createdAt);
    });
  });

  it('see one workspace only', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    await database.work.run(mine.workspace.id, async tx => {
      const em = await tx.entityManager();
      expect(await em.findOne(ApiKeyEntity, { workspaceId: theirs.workspace.id, id: theirs.apiKey.id })).toBeNull();
      expect(await em.find(ApiKeyEntity, {})).toMatchObject([{ id: mine.apiKey.id }]);
    });
  });

  it('cannot write into another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const stolen = database.work.run(mine.workspace.id, tx =>
      issueKey(tx, theirs.workspace.id, { name: 'stolen', scopes: ['admin'], origin: 'api', createdBy: OPERATOR }),
    );
    await expect(stolen).rejects.toThrow(/row-level security/);
  });
});

describe('keys', () => {
  it('are listed newest first and revoked once', async () => {
    const { workspace, apiKey } = await newWorkspace();
    const second = await database.work.run(workspace.id, async tx =>
      keys.create(tx, {
        name: 'agent',
        scopes: ['read'],
        origin: 'api',
        createdBy: OPERATOR,
        expiresAt: (await tx.now()) + DAY_US,
      }),
    );
    const ids = (await listActive(workspace.id)).map(({ id }) => id);
    expect(ids).toEqual([second.apiKey.id, apiKey.id]);
    const revoke = () => database.work.run(workspace.id, tx => keys.revoke(tx, apiKey.id));
    const [first, again] = [await revoke(), await revoke()];
    expect(again.revokedAt).toBe(first.revokedAt);
  });

  it('cannot be made to expire in the past, nor be revoked when they do not exist', async () => {
    const { workspace } = await newWorkspace();
    const late = database.work.run(workspace.id, async tx =>
      keys.create(tx, {
        name: 'late',
        scopes: ['read'],
        origin: 'api',
        createdBy: OPERATOR,
        expiresAt: await tx.now(),
      }),
    );
    await expect(late).rejects.toMatchObject({ code: 'invalid_request', details: [{ field: 'expires_at' }] });
    for (const id of [workspace.id, 'no uuid', '']) {
      const revoked = database.work.run(workspace.id, tx => keys.revoke(tx, id));
      await expect(revoked).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});
