import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import { ApiKeyLookup, ApiKeyCache } from '#kernel/auth/api-key.lookup.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#kernel/db/embedded/embedded-postgres.js';
import { createWorkspace, listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';
import { openDirectory } from '../../support/database/directory-database.js';

let dataDir: string;
let server: EmbeddedPostgres;
let superuser: pg.Client;

// A server of its own, because roles belong to the whole server and on this one they must be missing at first.
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'rapport-owner-'));
  server = await startEmbeddedPostgres({ dataDir, asSuperuser: true, log: () => undefined });
  superuser = new pg.Client(server.url);
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await server.stop();
  await rm(dataDir, { recursive: true });
});

/** A database that belongs to a user who is no superuser. */
async function ownedDatabase(owner: string, rights: string): Promise<string> {
  await superuser.query(`CREATE ROLE "${owner}" LOGIN PASSWORD 'secret' ${rights}`);
  await superuser.query(`CREATE DATABASE "${owner}" OWNER "${owner}"`);
  const url = new URL(server.url);
  url.username = encodeURIComponent(owner);
  url.password = 'secret';
  url.pathname = `/${encodeURIComponent(owner)}`;
  return url.href;
}

describe('an owner without rights to create roles', () => {
  it('gets the SQL that an administrator should run, which is enough', async () => {
    const url = await ownedDatabase('plain owner', 'NOCREATEROLE');
    const message = await openDirectory(url).catch((error: Error) => error.message);
    expect(message).toContain('A database administrator should run:');
    for (const statement of String(message).split('\n').slice(1)) await superuser.query(statement);
    const database = await openDirectory(url);
    expect(database.appliedMigrations).toHaveLength(2);
    await database.close();
    for (const role of ['rapport_app', 'rapport_system', 'rapport_eraser', 'rapport_auth', 'rapport_backup']) {
      await superuser.query(`DROP OWNED BY ${role}`);
    }
    await superuser.query('DROP DATABASE "plain owner"');
    await superuser.query('DROP ROLE rapport_app, rapport_system, rapport_eraser, rapport_auth, rapport_backup');
  });
});

describe('an owner who may create roles, but is no superuser', () => {
  it('migrates, works, and is held by row-level security itself', async () => {
    const database = await openDirectory(await ownedDatabase('owner', 'CREATEROLE'));
    try {
      const [one, two] = [
        await createWorkspace(database.work, { name: 'One', plan: 'starter' }),
        await createWorkspace(database.work, { name: 'Two', plan: 'scale' }),
      ];
      expect(await listWorkspaces(database.work)).toHaveLength(2);
      const keys = new ApiKeysService();
      const page = await database.work.run(one.workspace.id, tx => keys.list(tx, { state: 'active', limit: 2 }));
      expect(page.keys).toHaveLength(1);
      await expect(database.work.run(one.workspace.id, tx => keys.revoke(tx, two.apiKey.id))).rejects.toMatchObject({
        code: 'not_found',
      });
      expect(await new ApiKeyCache(new ApiKeyLookup(database.work)).resolve(two.key)).toMatchObject({ plan: 'scale' });
      await database.work.run(one.workspace.id, async tx => tx.emit({ type: 'test', payload: {} }));
      for (const table of ['workspaces', 'api_keys', 'outbox']) {
        expect((await database.pool.query(`SELECT * FROM ${table}`)).rows).toEqual([]);
      }
    } finally {
      await database.close();
    }
  });
});
