import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { buildDatabaseUrl } from './embedded-database.js';
import { type Layout, resolveLayout } from './layout.js';
import { loadPassword } from './password.js';
import { getPostmasterFilePath } from './postmaster-file.js';

const PORT_LINE = 3;
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Returns the URL of the server that runs on a data folder, whichever process holds its lock; undefined if none
 * responds, or if this user may not read its port or password.
 */
export async function findRunningEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  try {
    const layout = resolveLayout(dataDir);
    const url = buildDatabaseUrl(await readPort(layout), await loadPassword(layout));
    const client = new pg.Client({ connectionString: url, ssl: false, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    client.on('error', () => undefined);
    await client.connect();
    await client.end();
    return url;
  } catch {
    return undefined;
  }
}

async function readPort({ cluster }: Layout): Promise<number> {
  const lines = (await readFile(getPostmasterFilePath(cluster), 'utf8')).split('\n');
  return Number(lines[PORT_LINE]);
}
