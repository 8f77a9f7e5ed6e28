import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findRunningEmbeddedPostgres } from '#kernel/db/embedded/embedded-database.js';
import { startEmbeddedPostgres } from '#kernel/db/embedded/embedded-postgres.js';
import { type Client, clientOf } from '../hub.js';
import { until } from '../until.js';
import { endSpawned, sharedDatabase, type SpawnedHub, spawnHub } from './spawned-hub.js';

/**
 * Where a hub can be killed and started again over the same data: with the embedded database, which dies with it, or
 * in the services lane with a server that lives on.
 */
export interface CrashHarness {
  start(role: 'api' | 'all'): Promise<SpawnedHub>;
  /** The one workspace's way to a hub. */
  client(hub: SpawnedHub): Client;
  /** Queries the database as a superuser, whom row-level security does not bind. While a hub runs. */
  ask<Row>(sql: string): Promise<Row[]>;
  clear(): Promise<void>;
}

/** Prepares the ground of this lane. */
export function crashHarness(): Promise<CrashHarness> {
  return process.env['RAPPORT_TEST_LANE'] === 'services' ? onServer() : onEmbedded();
}

async function onServer(): Promise<CrashHarness> {
  const shared = await sharedDatabase();
  const { id, key } = await shared.workspace();
  return {
    start: ROLE => spawnHub({ ...shared.settings, ROLE }),
    client: hub => clientOf(hub.url, key, id),
    ask: async <Row>(sql: string) => (await shared.database.pool.query(sql)).rows as Row[],
    clear: () => shared.drop(),
  };
}

async function onEmbedded(): Promise<CrashHarness> {
  const home = await mkdtemp(join(tmpdir(), 'rapport-crash-'));
  const dataDir = join(home, 'data');
  const superuser = await makeSuperuser(dataDir);
  let key = '';
  let address = '';
  return {
    start: async ROLE => {
      const hub = await spawnHub({ DATA_DIR: dataDir, ROLE });
      key ||= (await readFile(join(dataDir, 'first-key'), 'utf8')).trim();
      const url = new URL(await until('the database answers', () => findRunningEmbeddedPostgres(dataDir)));
      url.username = superuser;
      address = url.href;
      return hub;
    },
    client: hub => clientOf(hub.url, key),
    ask: async <Row>(sql: string) => {
      const client = new pg.Client(address);
      await client.connect();
      return client
        .query(sql)
        .then(({ rows }) => rows as Row[])
        .finally(() => client.end());
    },
    clear: async () => {
      endSpawned();
      await rm(home, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Creates the database with a superuser that keeps its password, which a hub's own first start takes away. */
async function makeSuperuser(dataDir: string): Promise<string> {
  const server = await startEmbeddedPostgres({ dataDir, asSuperuser: true, log: () => undefined });
  await server.stop();
  return new URL(server.url).username;
}
