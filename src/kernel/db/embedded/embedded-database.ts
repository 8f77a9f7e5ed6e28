import pg from 'pg';
import { SUPERUSER } from './cluster-creation.js';
import { hasErrorCode, getErrorMessage } from './startup-errors.js';

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
