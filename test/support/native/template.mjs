import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { readEnv } from '../../../dist/kernel/config/env.js';
import { openDatabase } from '../../../dist/kernel/db/database.js';
import { openPostgresQueues } from '../../../dist/kernel/queue/postgres-queues.js';
import { databaseSchema } from '../../../dist/database-schema.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Makes a database with the tables of the hub and of its queues and nothing in them, and names it in
 * RAPPORT_TEST_TEMPLATE: copying it takes a tenth of the time that migrating takes.
 * @returns what removes it.
 */
export async function makeTemplate(server) {
  const name = `${process.env['RAPPORT_TEST_DATABASES'] ?? 'test_'}template_${randomBytes(8).toString('hex')}`;
  await ask(server, `CREATE DATABASE ${name}`);
  const address = new URL(server);
  address.pathname = `/${name}`;
  const database = await openDatabase(readEnv({ DATABASE_URL: address.href }), databaseSchema, quiet);
  const queues = await openPostgresQueues(address.href, quiet);
  await queues.close();
  await database.close();
  process.env['RAPPORT_TEST_TEMPLATE'] = name;
  return () => ask(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function ask(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
