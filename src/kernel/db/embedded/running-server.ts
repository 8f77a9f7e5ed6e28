import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { addressOf } from './database.js';
import { type Layout, layoutOf } from './layout.js';
import { keptPassword } from './password.js';
import { postmasterFile } from './postmaster-file.js';

const PORT_LINE = 3;
const PATIENCE_MS = 2_000;

/**
 * The address of the server that serves a data folder now, whichever process holds the folder; undefined when none
 * answers, or when this user may not read where it listens and by which password it is entered.
 */
export async function runningEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  try {
    const layout = layoutOf(dataDir);
    const url = addressOf(await portOf(layout), await keptPassword(layout));
    const client = new pg.Client({ connectionString: url, ssl: false, connectionTimeoutMillis: PATIENCE_MS });
    client.on('error', () => undefined);
    await client.connect();
    await client.end();
    return url;
  } catch {
    return undefined;
  }
}

async function portOf({ cluster }: Layout): Promise<number> {
  const lines = (await readFile(postmasterFile(cluster), 'utf8')).split('\n');
  return Number(lines[PORT_LINE]);
}
