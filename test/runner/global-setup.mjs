import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Starts one embedded PostgreSQL for the run, unless RAPPORT_TEST_DATABASE_URL names a server, and creates the template
 * database that suites copy.
 */
export default async function setUp() {
  const endServer = process.env['RAPPORT_TEST_DATABASE_URL'] ? async () => undefined : await startServer();
  const { makeTemplate } = await import('./template.mjs');
  const dropTemplate = await makeTemplate(process.env['RAPPORT_TEST_DATABASE_URL']);
  globalThis.endTestDatabases = async () => {
    await dropTemplate();
    await endServer();
  };
}

async function startServer() {
  const { startEmbeddedPostgres } = await import('../../dist/kernel/db/embedded/embedded-postgres.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'server-'));
  const server = await startEmbeddedPostgres({ dataDir, durable: false, asSuperuser: true, log: () => undefined });
  process.env['RAPPORT_TEST_DATABASE_URL'] = server.url;
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
