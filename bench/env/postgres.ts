import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#kernel/db/embedded/embedded-postgres.js';

/** A database server, with databases of the benchmark's own. */
export interface Postgres {
  /** Name and version, for the report. */
  readonly label: string;
  /** Makes an empty database. @returns its URL. */
  createDatabase(): Promise<string>;
  /** Drops the databases made here, and the server if it is ours. */
  stop(): Promise<void>;
}

/** The server of DATABASE_URL, or an embedded one in a folder that is removed at the end. */
export async function openPostgres(databaseUrl: string | undefined): Promise<Postgres> {
  if (databaseUrl) return onServer(databaseUrl, 'server of DATABASE_URL', async () => undefined);
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-bench-'));
  const server = await startEmbeddedPostgres({ dataDir, asSuperuser: true, log: () => undefined });
  return onServer(server.url, 'embedded', async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
}

async function onServer(url: string, what: string, stopServer: () => Promise<void>): Promise<Postgres> {
  const made: string[] = [];
  const [{ version }] = (await ask(url, "SELECT current_setting('server_version') AS version")) as [
    { version: string },
  ];
  return {
    label: `PostgreSQL ${version} (${what})`,
    createDatabase: async () => {
      const name = `bench_${randomBytes(6).toString('hex')}`;
      await ask(url, `CREATE DATABASE ${name}`);
      made.push(name);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    stop: async () => {
      for (const name of made) await ask(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await stopServer();
    },
  };
}

/** Runs one statement on a connection of its own. */
export async function ask<Row = unknown>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
}
