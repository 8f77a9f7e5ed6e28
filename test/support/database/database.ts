import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of one test file's own. */
export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database with a random name on the server that this run of the tests uses. */
export function freshDatabase(): Promise<FreshDatabase> {
  return createDatabase('');
}

/** Creates a database that has the tables of the hub and of its queues, and nothing in them. */
export function migratedDatabase(): Promise<FreshDatabase> {
  // Copying files takes half the processor time of copying through the WAL. It needs checkpoints, which are cheap only on
  // the embedded server of a test run, because that one never waits for its disk.
  const strategy = process.env['RAPPORT_TEST_LANE'] === 'embedded' ? 'STRATEGY FILE_COPY' : '';
  return createDatabase(`TEMPLATE ${process.env['RAPPORT_TEST_TEMPLATE']} ${strategy}`);
}

async function createDatabase(how: string): Promise<FreshDatabase> {
  const server = process.env['RAPPORT_TEST_DATABASE_URL'] ?? process.env['DATABASE_URL'];
  if (!server) throw new Error('Tests need a PostgreSQL: set RAPPORT_TEST_DATABASE_URL or DATABASE_URL.');
  const name = `${process.env['RAPPORT_TEST_DATABASES'] ?? 'test_'}${randomBytes(8).toString('hex')}`;
  await ask(server, `CREATE DATABASE ${name} ${how}`);
  const address = new URL(server);
  address.pathname = `/${name}`;
  return { url: address.href, drop: () => ask(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function ask(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
