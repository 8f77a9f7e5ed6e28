import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '#kernel/db/embedded/embedded-postgres.js';
import { findRunningEmbeddedPostgres } from '#kernel/db/embedded/embedded-database.js';
import { type CommandEnd, rapport, rapportHere } from '../../support/process/rapport-command.js';

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'rapport-admin-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Where a command runs: in this process, or in one of its own. */
type Run = (words: readonly string[], environment: Record<string, string>) => Promise<CommandEnd>;

async function names(run: Run): Promise<string[]> {
  const { code, out } = await run(['admin', 'workspace', 'list', '--json'], { DATA_DIR: dataDir });
  expect(code).toBe(0);
  return JSON.parse(out).workspaces.map(({ name }: { name: string }) => name);
}

const create = (run: Run, name: string) =>
  run(['admin', 'workspace', 'create', '--name', name, '--plan', 'scale', '--json'], { DATA_DIR: dataDir });

it('starts the embedded database for the command, and shares it with a hub that runs', async () => {
  const alone = await create(rapport, 'alone');
  expect(JSON.parse(alone.out)).toMatchObject({ name: 'alone' });
  expect(await findRunningEmbeddedPostgres(dataDir)).toBeUndefined();
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  try {
    expect(await findRunningEmbeddedPostgres(dataDir)).toBe(server.url);
    expect(await create(rapport, 'shared')).toMatchObject({ code: 0, err: '' });
    expect(await names(rapportHere)).toEqual(['alone', 'shared']);
    expect(await findRunningEmbeddedPostgres(dataDir)).toBe(server.url);
  } finally {
    await server.stop();
  }
  expect(await names(rapportHere)).toEqual(['alone', 'shared']);
});

it('waits for a database that is just being started', async () => {
  const starting = startEmbeddedPostgres({ dataDir, log: () => undefined });
  const both = await Promise.all([names(rapport), starting]);
  await both[1].stop();
  expect(both[0]).toEqual(['alone', 'shared']);
});
