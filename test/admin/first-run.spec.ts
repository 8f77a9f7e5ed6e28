import { readEnv } from '#kernel/config/env.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import { listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';
import { FirstRun } from '../../src/first-run.js';
import { databaseSchema } from '../../src/database-schema.js';
import { type FreshDatabase, migratedDatabase } from '../support/database/database.js';

const KEY = /rap_live_\w+/;
const url = 'http://127.0.0.1:3000';
const embedded = readEnv({ PORT: '0' });
const quiet = { info: () => undefined, error: () => undefined };

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await migratedDatabase();
  database = await openDatabase(readEnv({ DATABASE_URL: fresh.url }), databaseSchema, quiet);
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

describe('what a start says', () => {
  it('is how to make a workspace, where the database is one of its own', async () => {
    const welcome = await FirstRun.prepare(database, readEnv({ DATABASE_URL: fresh.url }));
    expect(welcome.formatStartMessage(url)).toContain('npx rapport admin workspace create');
    expect(welcome.credentialsMessage).toBeUndefined();
    expect(await listWorkspaces(database.work)).toEqual([]);
  });

  it('is the key of the first workspace, once, and it is not lost where the hub cannot listen', async () => {
    const first = await FirstRun.prepare(database, embedded);
    const key = KEY.exec(first.formatStartMessage(url))![0];
    expect(first.formatStartMessage(url)).toContain(`curl -sS ${url}/v2/observations`);
    expect(first.credentialsMessage).toContain(key);
    const second = await FirstRun.prepare(database, embedded);
    expect(second.formatStartMessage(url)).not.toMatch(KEY);
    expect(second.credentialsMessage).toBeUndefined();
    expect(await listWorkspaces(database.work)).toHaveLength(1);
  });
});
