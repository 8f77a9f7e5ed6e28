import { readEnv } from '#kernel/config/env.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import { listWorkspaces } from '#kernel/workspaces/workspaces.service.js';
import { Welcome } from '../../src/first-start.js';
import { schema } from '../../src/schema.js';
import { type FreshDatabase, migratedDatabase } from '../support/database.js';

const KEY = /rap_live_\w+/;
const url = 'http://127.0.0.1:3000';
const embedded = readEnv({ PORT: '0' });
const quiet = { info: () => undefined, error: () => undefined };

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await migratedDatabase();
  database = await openDatabase(readEnv({ DATABASE_URL: fresh.url }), schema, quiet);
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

describe('what a start says', () => {
  it('is how to make a workspace, where the database is one of its own', async () => {
    const welcome = await Welcome.prepare(database, readEnv({ DATABASE_URL: fresh.url }));
    expect(welcome.at(url)).toContain('npx rapport admin workspace create');
    expect(welcome.unheard).toBeUndefined();
    expect(await listWorkspaces(database.work)).toEqual([]);
  });

  it('is the key of the first workspace, once, and it is not lost where the hub cannot listen', async () => {
    const first = await Welcome.prepare(database, embedded);
    const key = KEY.exec(first.at(url))![0];
    expect(first.at(url)).toContain(`curl -sS ${url}/v2/observations`);
    expect(first.unheard).toContain(key);
    const second = await Welcome.prepare(database, embedded);
    expect(second.at(url)).not.toMatch(KEY);
    expect(second.unheard).toBeUndefined();
    expect(await listWorkspaces(database.work)).toHaveLength(1);
  });
});
