import { execFile, execFileSync, spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createLogger } from '#kernel/telemetry/logger.js';
import { startHub } from '../../src/hub.js';
import { readAllRows } from '../support/database/all-rows.js';
import { type FreshDatabase, freshDatabase } from '../support/database/database.js';
import { account, event, record, state } from '../support/graph/graph-calls.js';
import { saveNote } from '../support/graph/notes.js';
import { type Client, clientOf, startTestHub, testEnv, type TestHub } from '../support/hub.js';

/** What runs PostgreSQL's programs, and their folder; empty if they are in the PATH. */
const [runner = '', ...prefix] = (process.env['RAPPORT_CI_PG_PROGRAMS'] ?? '').split(' ').filter(Boolean);

function toCommand(program: string, args: readonly string[]): [string, string[]] {
  if (runner === '') return [program, [...args]];
  const words = [runner, ...prefix];
  const folder = words.pop()!;
  const [command, ...rest] = [...words, `${folder}/${program}`, ...args];
  return [command!, rest];
}

/** The documented command, as in docs/backup.md, without its file. */
const DUMP = ['--role=rapport_backup', '--enable-row-security', '--exclude-schema=bullmq', '--format=custom'];
// A pg_dump refuses a newer server; the servers of CI come with programs that fit.
const withPrograms = runner === '' ? describe.skip : describe;

withPrograms('pg_dump as rapport_backup', () => {
  let hub: TestHub;
  let acme: Client;
  let folder: string;
  let target: FreshDatabase;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'rapport-dump-'));
    hub = await startTestHub();
    acme = await hub.workspace();
    const other = await hub.workspace('starter');
    await record(acme, 'ada@acme.com', [state('title', 'CTO\t"x" \\N 😀'), event('call_held', { raw: { n: 1 } })]);
    await record(other, 'bob@other.com', [state('title', 'CFO')]);
    await saveNote(acme, 'ada@acme.com', 'Wants to renew. Grüße.');
    target = await freshDatabase();
  });
  afterAll(async () => {
    await hub?.end();
    await target?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function dump(file: string): Promise<void> {
    const child = spawn(...toCommand('pg_dump', [...DUMP, hub.database.url]), { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    await pipeline(child.stdout, createWriteStream(file));
    expect(await ended).toBe(0);
  }

  async function restore(file: string): Promise<void> {
    const args = ['--exit-on-error', `--dbname=${target.url}`];
    const child = spawn(...toCommand('pg_restore', args), { stdio: ['pipe', 'inherit', 'inherit'] });
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    await pipeline(createReadStream(file), child.stdin);
    expect(await ended).toBe(0);
  }

  /** Dumps until no background work of the hub has changed a row meanwhile. */
  async function dumpAtRest(file: string): Promise<Record<string, string[]>> {
    for (;;) {
      const before = await readAllRows(hub.database.url);
      await dump(file);
      const after = await readAllRows(hub.database.url);
      if (JSON.stringify(before) === JSON.stringify(after)) return after;
    }
  }

  it('holds every row of every table, and a hub serves what is restored', async () => {
    const file = path.join(folder, 'rapport.dump');
    const rows = await dumpAtRest(file);
    for (const table of ['observation_log', 'claims', 'note_log', 'note_terms', 'entities', 'api_keys'])
      expect([table, rows[table]!.length]).not.toEqual([table, 0]);
    await restore(file);
    expect(await readAllRows(target.url)).toEqual(rows);
    const restored = await startHub(testEnv(target.url), createLogger('silent'));
    try {
      const { claims } = await account(clientOf(restored.url, acme.key), 'ada@acme.com');
      expect(claims).toEqual((await account(acme, 'ada@acme.com')).claims);
    } finally {
      await restored.close();
    }
  }, 120_000);

  it('leaves out every row if it is taken as the owner, as the page says', async () => {
    const owner = `owner_${path.basename(folder).replaceAll(/\W/g, '')}`.toLowerCase();
    const { pool } = hub.database;
    const url = new URL(hub.database.url);
    await pool.query(`CREATE ROLE ${owner} LOGIN PASSWORD 'secret'`);
    await pool.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${owner}`);
    [url.username, url.password] = [owner, 'secret'];
    try {
      const args = ['--table=public.observation_log', '--data-only', '--inserts', url.href];
      expect(() => execFileSync(...toCommand('pg_dump', args), { stdio: 'pipe' })).toThrow('row-level security');
      const { stdout } = await promisify(execFile)(...toCommand('pg_dump', ['--enable-row-security', ...args]));
      expect(stdout).not.toContain('INSERT INTO');
    } finally {
      await pool.query(`DROP OWNED BY ${owner}`);
      await pool.query(`DROP ROLE ${owner}`);
    }
  });
});
