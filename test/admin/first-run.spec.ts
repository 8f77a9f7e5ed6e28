import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readEnv } from '#kernel/config/env.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import { listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';
import { FirstRun } from '../../src/first-run.js';
import { databaseSchema } from '../../src/database-schema.js';
import { type FreshDatabase, migratedDatabase } from '../support/database/database.js';

const KEY = /rap_live_\w+/;
const SETUP = /\S+\/setup\/[\w-]{43}/;
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
    const welcome = await FirstRun.prepare(database, readEnv({ DATABASE_URL: fresh.url }), true);
    expect(welcome.formatStartMessage(url)).toContain('npx rapport admin workspace create');
    expect(welcome.credentialsMessage).toBeUndefined();
    expect(await listWorkspaces(database.work)).toEqual([]);
  });

  it('is the key of the first workspace, once, and it is not lost where the hub cannot listen', async () => {
    const first = await FirstRun.prepare(database, embedded, true);
    const key = KEY.exec(first.formatStartMessage(url))![0];
    expect(first.formatStartMessage(url)).toContain(`curl -sS ${url}/v2/observations`);
    expect(first.credentialsMessage).toContain(key);
    const [setup] = SETUP.exec(first.formatStartMessage(url))!;
    expect(setup).toMatch(new RegExp(`^${url}/setup/`));
    expect(first.credentialsMessage).toContain(new URL(setup).pathname);
    const second = await FirstRun.prepare(database, embedded, true);
    expect(second.formatStartMessage(url)).not.toMatch(KEY);
    expect(second.formatStartMessage(url)).not.toMatch(SETUP);
    expect(second.credentialsMessage).toBeUndefined();
    expect(await listWorkspaces(database.work)).toHaveLength(1);
  });

  it('is the path of a file with the key, where the output is no terminal', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'rapport first run '));
    const file = join(dataDir, 'first-key');
    await writeFile(file, 'an older key', { mode: 0o644 });
    const own = await migratedDatabase();
    const other = await openDatabase(readEnv({ DATABASE_URL: own.url }), databaseSchema, quiet);
    try {
      const first = await FirstRun.prepare(other, readEnv({ PORT: '0', DATA_DIR: dataDir }), false);
      const key = (await readFile(file, 'utf8')).trim();
      expect(key).toMatch(/^rap_live_\w{36}$/);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const printed = `${first.formatStartMessage(url)}${first.credentialsMessage}`;
      expect(printed).not.toMatch(KEY);
      expect(printed).not.toMatch(SETUP);
      const [echo] = /^echo .*$/m.exec(printed)!;
      const address = await promisify(execFile)('sh', ['-c', echo]);
      const code = (await readFile(join(dataDir, 'setup-code'), 'utf8')).trim();
      expect((await stat(join(dataDir, 'setup-code'))).mode & 0o777).toBe(0o600);
      expect(address.stdout).toBe(`${url}/setup/${code}\n`);
      expect(printed).toContain(`curl -sS ${url}/v2/observations`);
      const [assignment] = /^KEY=.*$/m.exec(printed)!;
      const { stdout } = await promisify(execFile)('sh', ['-c', `${assignment}; printf %s "$KEY"`]);
      expect(stdout).toBe(key);
      const headers = printed.match(/"Authorization: [^\n]*"/g)!;
      expect(headers).toHaveLength(2);
      for (const header of headers) {
        const { stdout: sent } = await promisify(execFile)('sh', ['-c', `printf %s ${header}`]);
        expect(sent).toBe(`Authorization: Bearer ${key}`);
      }
    } finally {
      await other.close();
      await own.drop();
      await rm(dataDir, { recursive: true });
    }
  });
});
