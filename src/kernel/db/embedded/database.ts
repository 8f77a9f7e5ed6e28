import pg from 'pg';
import { SUPERUSER } from './cluster-creation.js';
import { hasCode, reasonOf } from './failure.js';

/** The one database of the embedded cluster. */
export const DATABASE = 'rapport';

const WRONG_PASSWORD = '28P01';

/** The address of a database of the embedded server. */
export function addressOf(port: number, password: string, database: string = DATABASE): string {
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** Creates the database at the first start; proves at every start that the server takes this password. */
export async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf(port, password, 'postgres'), ssl: false });
  // A connection that breaks later than its answer must not end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
  } catch (problem) {
    throw hasCode(problem, WRONG_PASSWORD) ? wrongPassword(problem) : noAnswer(problem);
  } finally {
    await client.end();
  }
}

function wrongPassword(cause: unknown): Error {
  return new Error(
    'The embedded database does not accept the password in postgres.password: put that file back from a backup.',
    { cause },
  );
}

function noAnswer(cause: unknown): Error {
  return new Error(`The embedded database has started but does not answer (${reasonOf(cause)}): see postgres.log.`, {
    cause,
  });
}
