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
    const url = buildUrl({ port: await readPort(layout), password: await loadPassword(layout) });
    await connected(url, async () => undefined);
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
/** The owner of the database. It may create roles, and is no superuser. */
const OWNER = 'rapport';

const INVALID_PASSWORD_SQLSTATE = '28P01';
const MISSING_DATABASE_SQLSTATE = '3D000';

interface Login {
  readonly port: number;
  readonly password: string;
  /** Default: the owner. */
  readonly user?: string;
  /** Default: the hub's database. */
  readonly database?: string;
}

/** Builds the URL of a database of the embedded server. */
function buildUrl({ port, password, user = OWNER, database = EMBEDDED_DATABASE_NAME }: Login): string {
  return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/**
 * Creates the owner and its database if they are missing, checks that the server accepts the password, and returns the
 * URL of the database. The superuser creates both at the first start and gives its password up, so from then on no one
 * can log in with more rights than those of the owner.
 * @param asSuperuser returns the URL of the superuser, whose password stays: for tests, which look past row-level
 * security.
 */
export async function ensureDatabase(port: number, password: string, asSuperuser: boolean): Promise<string> {
  const url = buildUrl({ port, password });
  try {
    if (!asSuperuser && (await canLogIn(url))) return url;
    await createDatabase({ port, password, user: SUPERUSER, database: 'postgres' }, asSuperuser);
    return asSuperuser ? buildUrl({ port, password, user: SUPERUSER }) : url;
  } catch (error) {
    throw hasErrorCode(error, INVALID_PASSWORD_SQLSTATE)
      ? createWrongPasswordError(error)
      : createNoResponseError(error);
  }
}

/** @returns false if the role or the database is missing, or the password is wrong. */
async function canLogIn(url: string): Promise<boolean> {
  try {
    await connected(url, async () => undefined);
    return true;
  } catch (error) {
    if (hasErrorCode(error, INVALID_PASSWORD_SQLSTATE) || hasErrorCode(error, MISSING_DATABASE_SQLSTATE)) return false;
    throw error;
  }
}

/**
 * Each step can be repeated. That the owner may log in and that the superuser may not begin together, so a start that is
 * killed is completed by the next one.
 */
async function createDatabase(login: Login, keepPassword: boolean): Promise<void> {
  await connected(buildUrl(login), async client => {
    const { rows } = await client.query<{ owner: boolean; database: boolean }>(
      `SELECT to_regrole($1) IS NOT NULL AS owner, EXISTS (SELECT FROM pg_database WHERE datname = $2) AS database`,
      [OWNER, EMBEDDED_DATABASE_NAME],
    );
    const { owner, database } = rows[0]!;
    const password = pg.escapeLiteral(login.password);
    if (!owner) await client.query(`CREATE ROLE ${OWNER} NOLOGIN CREATEROLE`);
    if (!database) await client.query(`CREATE DATABASE ${EMBEDDED_DATABASE_NAME} OWNER ${OWNER}`);
    const statements = [`ALTER ROLE ${OWNER} LOGIN PASSWORD ${password}`];
    if (!keepPassword) statements.push(`ALTER ROLE ${SUPERUSER} PASSWORD NULL`);
    await client.query(statements.join('; '));
  });
}

async function connected(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, ssl: false, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // An error on the idle connection must not end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
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
