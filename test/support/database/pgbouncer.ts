import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findFreePort } from '#kernel/db/embedded/postgres-server.js';
import { startChild } from '../process/child-process.js';

const PLACES = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
const NOBODY = 65_534;

const program = PLACES.map(place => join(place, 'pgbouncer')).find(file => existsSync(file));

/** For what only a real pooler can show; left out where none is installed. */
export const describeWithPgbouncer =
  program && process.env['RAPPORT_TEST_LANE'] === 'services' ? describe : describe.skip;

/** A running PgBouncer. */
export interface Pgbouncer {
  /** The same database, through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts PgBouncer in transaction mode, with two connections to the server for its clients.
 * @param target the URL of a database whose user needs no password, or has it in the URL
 * @param more further lines of its settings
 */
export async function pgbouncer(target: string, more = ''): Promise<Pgbouncer> {
  const server = new URL(target);
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  await chmod(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${settingsFor(server, port)}\n${more}\n`, { mode: 0o644 });
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = startChild(program!, ['-q', file], account);
  await child.waitFor('the pooler listens', () => isListening(port));
  server.port = String(port);
  return {
    url: server.href,
    close: async () => {
      await child.kill('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
}

function settingsFor({ hostname, port, username, password }: URL, own: number): string {
  const secret = password ? ` password=${decodeURIComponent(password)}` : '';
  return `[databases]
* = host=${hostname} port=${port || '5432'} user=${decodeURIComponent(username)}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 100`;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
