import { fileURLToPath } from 'node:url';
import { createWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import { databaseSchema } from '../../../src/database-schema.js';
import { type ChildEnd, startChild } from './child-process.js';
import { migratedDatabase } from '../database/database.js';
import { type Client, clientOf, TEST_KEYS, testEnv } from '../hub.js';
import { freshRedis } from '../database/redis.js';

const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const quiet = { info: () => undefined, error: () => undefined };
/** A start migrates, and it may have to replay the log of a killed server, beside suites that overload theirs. */
const START_TIMEOUT_MS = 100_000;
const running = new Set<(signal: NodeJS.Signals) => Promise<ChildEnd>>();

/** A hub in a process of its own, as `npm start` runs it. */
export interface SpawnedHub {
  readonly url: string;
  /** Waits until it has written something like this, and gives that. */
  printed(pattern: RegExp): Promise<string>;
  /** Sends a signal and gives the exit code, null when the signal itself ended the process. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/** Starts `dist/main.js` on a free port and waits until it listens. @param cwd default: that of the tests */
export async function spawnHub(settings: Record<string, string>, cwd?: string): Promise<SpawnedHub> {
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    RATE_LIMITS: '0',
    PUBLIC_RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    SHUTDOWN_DELAY_MS: '0',
    SECRET_KEYS: TEST_KEYS,
    ...settings,
  };
  const child = startChild(process.execPath, [main], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = () => child.stdout() + child.stderr();
  let ending = false;
  const stop = (signal: NodeJS.Signals) => {
    ending = true;
    return child.kill(signal);
  };
  running.add(stop);
  const forget = ({ code, signal }: ChildEnd): void => {
    running.delete(stop);
    // Requests to it fail with a refused connection only, so the reason is printed here.
    if (!ending) console.error(`a hub ended by itself (${code ?? signal}):\n${text().slice(-4_000)}`);
  };
  child.ended.then(forget, () => running.delete(stop));
  const url = await child.waitFor('the hub listens', () => /ready at (\S+)/.exec(text())?.[1], START_TIMEOUT_MS);
  return {
    url,
    printed: pattern => child.waitFor(`the hub writes ${pattern}`, () => pattern.exec(text())?.[0]),
    end: async signal => (await stop(signal)).code,
  };
}

/** Kills whatever a failed test left running. For `afterAll`. */
export function endSpawned(): void {
  for (const stop of running) void stop('SIGKILL');
}

/** A database for spawned hubs, opened by its owner from outside. */
export interface SharedDatabase {
  /** What a hub needs to be told to use it; with a Redis of its own in the services lane. */
  readonly settings: Record<string, string>;
  /** As the owner, whom row-level security does not bind. */
  readonly database: Database;
  /** Makes a workspace; gives its key. */
  workspace(): Promise<{ id: string; key: string }>;
  drop(): Promise<void>;
}

/** Makes and migrates a database that any number of spawned hubs can share. */
export async function sharedDatabase(): Promise<SharedDatabase> {
  const [fresh, redis] = await Promise.all([migratedDatabase(), freshRedis()]);
  const database = await openDatabase(testEnv(fresh.url), databaseSchema, quiet);
  return {
    settings: { DATABASE_URL: fresh.url, ...(redis && { REDIS_URL: redis.url }) },
    database,
    workspace: async () => {
      const { workspace, key } = await createWorkspace(database.work, { name: 'Acme', plan: 'scale' });
      return { id: workspace.id, key };
    },
    drop: async () => {
      endSpawned();
      await database.close();
      await Promise.all([fresh.drop(), redis?.drop()]);
    },
  };
}

/** One workspace's clients of several hubs. */
export function clientsOf(hubs: readonly SpawnedHub[], { id, key }: { id: string; key: string }): Client[] {
  return hubs.map(hub => clientOf(hub.url, key, id));
}
