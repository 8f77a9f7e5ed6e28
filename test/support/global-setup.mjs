import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One PostgreSQL for the whole run: the embedded one, unless the run names a server of its own. */
export default async function setUp() {
  if (process.env['RAPPORT_TEST_DATABASE_URL']) return;
  const { startEmbeddedPostgres } = await import('../../dist/kernel/db/embedded/embedded-postgres.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-test-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  process.env['RAPPORT_TEST_DATABASE_URL'] = server.url;
  globalThis.stopTestDatabase = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
