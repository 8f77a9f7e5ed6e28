import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import type { Caller } from '#kernel/auth/caller.js';
import { KeyUsageService } from '#kernel/auth/api-key.lookup.js';
import type { Database } from '#kernel/db/database.js';
import { createWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import { flakyConnection } from '../../support/network/flaky-connection.js';
import { freshDirectory, openDirectory } from '../../support/database/directory-database.js';

const keys = new ApiKeysService();
let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => ({ database, drop } = await freshDirectory()));
afterAll(() => drop());

async function newCaller(): Promise<Caller> {
  const { workspace, apiKey } = await createWorkspace(database.work, { name: 'Acme', plan: 'scale' });
  return { workspaceId: workspace.id, actor: { kind: 'key', id: apiKey.id }, plan: 'scale', scopes: ['read'] };
}

async function lastUse({ workspaceId }: Caller) {
  const page = await database.work.run(workspaceId, tx => keys.list(tx, { state: 'active', limit: 1 }));
  const [key] = page.keys;
  return { at: key!.lastUsedAt, client: key!.lastUsedClient };
}

describe('the last use of keys', () => {
  it('is written for all of them in one transaction, and nothing when there was none', async () => {
    const usage = new KeyUsageService(database.work);
    const [one, two] = [await newCaller(), await newCaller()];
    let transactions = 0;
    const count = () => transactions++;
    database.pool.on('acquire', count);
    await usage.flush();
    for (let i = 0; i < 100; i++) usage.record(one, 'api');
    usage.record(one, 'mcp');
    usage.record(two, 'api');
    expect(transactions).toBe(0);
    await usage.flush();
    database.pool.off('acquire', count);
    expect(transactions).toBe(1);
    expect(await lastUse(one)).toEqual({ at: expect.any(Number), client: 'mcp' });
    expect(await lastUse(two)).toMatchObject({ client: 'api' });
  });

  it('is never older than what another process has written', async () => {
    const [early, late] = [new KeyUsageService(database.work), new KeyUsageService(database.work)];
    const caller = await newCaller();
    early.record(caller, 'early');
    const noted = Date.now();
    while (Date.now() === noted);
    late.record(caller, 'late');
    await late.flush();
    await early.flush();
    expect(await lastUse(caller)).toMatchObject({ client: 'late' });
  });

  it('is written at shutdown', async () => {
    const usage = new KeyUsageService(database.work);
    const caller = await newCaller();
    usage.onModuleInit();
    usage.record(caller, 'mcp');
    await usage.onApplicationShutdown();
    expect(await lastUse(caller)).toMatchObject({ client: 'mcp' });
  });

  it('is written later while the database is away', async () => {
    const link = await flakyConnection(database.url);
    const linked = await openDirectory(link.url);
    const usage = new KeyUsageService(linked.work);
    const caller = await newCaller();
    usage.record(caller, 'mcp');
    link.cut();
    await usage.flush();
    link.repair();
    await usage.flush();
    expect(await lastUse(caller)).toMatchObject({ client: 'mcp' });
    await linked.close();
    link.close();
  });
});
