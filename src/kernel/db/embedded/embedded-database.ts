import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { SUPERUSER, loadPassword } from './cluster.js';
import { getErrorMessage, hasErrorCode } from './server-log.js';
import { type Layout, resolveLayout } from './layout.js';
import { getPostmasterFilePath } from './server-shutdown.js';

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

/** Name of the database in the embedded cluster. */
export const EMBEDDED_DATABASE_NAME = 'rapport';

const INVALID_PASSWORD_SQLSTATE = '28P01';

/** Builds the URL of a database of the embedded server. */
export function buildDatabaseUrl(port: number, password: string, database: string = EMBEDDED_DATABASE_NAME): string {
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** Creates the database if it is missing and checks that the server accepts the password. */
export async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: buildDatabaseUrl(port, password, 'postgres'), ssl: false });
  // An error on the idle connection must not end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [EMBEDDED_DATABASE_NAME]);
    if (!rowCount) await client.query(`CREATE DATABASE ${EMBEDDED_DATABASE_NAME}`);
  } catch (error) {
    throw hasErrorCode(error, INVALID_PASSWORD_SQLSTATE)
      ? createWrongPasswordError(error)
      : createNoResponseError(error);
  } finally {
    await client.end();
  }
}

function createWrongPasswordError(cause: unknown): Error {
  return new Error(
    'The embedded database does not accept the password in postgres.password: put that file back from a backup.',
    { cause },
  );
}

function createNoResponseError(cause: unknown): Error {
  return new Error(
    `The embedded database has started but does not respond (${getErrorMessage(cause)}): see postgres.log.`,
    {
      cause,
    },
  );
}
