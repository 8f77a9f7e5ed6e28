import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Env } from '#kernel/config/env.js';
import { KEY_FILE_NAME } from '#kernel/secrets/open-secret-box.js';
import { formatSecretKeys, parseSecretKeys } from '#kernel/secrets/secret-box.js';
import { formatTableLines } from '../cli/base/terminal.js';
import { type AddAdminCommands, CommandError, printResult } from './admin-context.js';
import type { RowCounts } from './backup/backup-file.js';
import { dumpDatabase } from './backup/dump.js';
import { restoreDatabase } from './backup/restore.js';

const STANDARD_STREAM = '-';
const PRIVATE_MODE = 0o600;

interface BackupOptions {
  readonly keys?: string;
  readonly json?: true;
}

/** Adds `admin backup` and `admin restore`. */
export const addBackupCommands: AddAdminCommands = (admin, { terminal, withServer }) => {
  const onTable = (table: string, rows: number) => terminal.err(`${table}: ${rows} rows`);

  admin
    .command('backup')
    .description('write everything in the database to one compressed file; safe with live traffic')
    .argument('<file>', 'a new file, or - for standard output')
    .option('--keys <file>', 'also write the encryption keys, to a file of their own; keep it apart')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport admin backup /backups/rapport-$(date +%F).backup')
    .action(async (file: string, { keys, json }: BackupOptions) => {
      const rows = await withServer(async (url, env) => {
        if (keys !== undefined) await writeNewFile(keys, async out => void out.write(await readKeys(env)));
        const dump = (out: Writable) => compress(out, inner => dumpDatabase(url, inner, onTable));
        return file === STANDARD_STREAM ? dump(process.stdout) : writeNewFile(file, dump);
      });
      if (file === STANDARD_STREAM) return;
      const hint =
        keys === undefined
          ? [
              'The encryption keys are not in it: keep SECRET_KEYS (embedded: secret.keys in DATA_DIR) apart, or use --keys.',
            ]
          : [`The encryption keys are in ${keys}: keep them apart from the backup.`];
      printResult(terminal, json, { file, keys: keys ?? null, rows }, [
        ...formatRows(rows),
        `Written to ${file}.`,
        ...hint,
      ]);
    });

  admin
    .command('restore')
    .description('restore a backup into a database without workspaces, embedded or of DATABASE_URL')
    .argument('<file>', 'a file that `admin backup` wrote, or - for standard input')
    .option('--keys <file>', 'also put the encryption keys of this file into DATA_DIR; only without DATABASE_URL')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  DATA_DIR=./restored rapport admin restore rapport-2026-11-24.backup --keys rapport.keys',
    )
    .action(async (file: string, { keys, json }: BackupOptions) => {
      const { header, rows, applied, keyIds, missing } = await withServer(async (url, env) => {
        if (keys !== undefined) await installKeys(env, keys);
        const { requestTimeoutMs } = env;
        const result = await restoreDatabase(openInput(file), { url, requestTimeoutMs, log: terminal.err, onTable });
        const held = new Set((await findKeys(env)).map(({ id }) => id));
        return { ...result, missing: result.keyIds.filter(id => !held.has(id)) };
      });
      const data = { version: header.version, created_at: header.created_at, rows, applied, secret_keys: keyIds };
      const warning = `Credentials are sealed with keys that SECRET_KEYS lacks: ${missing.join(', ')}. Add them before the start.`;
      const lines = [
        ...formatRows(rows),
        `Restored the backup of version ${header.version} from ${header.created_at}.`,
        ...(missing.length > 0 ? [warning] : []),
        'Empty the Redis of the hub, if it has one, before the start: its jobs are of another time.',
      ];
      printResult(terminal, json, { ...data, missing_secret_keys: missing }, lines);
    });
};

function formatRows(rows: RowCounts): string[] {
  const filled = Object.entries(rows).filter(([, count]) => count > 0);
  return formatTableLines(
    ['TABLE', 'ROWS'],
    filled.map(([table, count]) => [table, String(count)]),
    'There are no rows.',
  );
}

/** Writes compressed bytes while `write` produces plain ones. */
async function compress<T>(out: Writable, write: (plain: Writable) => Promise<T>): Promise<T> {
  const gzip = createGzip();
  const isFile = out !== process.stdout;
  gzip.pipe(out, { end: isFile });
  const failed = Promise.withResolvers<never>();
  out.once('error', failed.reject);
  const result = await Promise.race([write(gzip), failed.promise]);
  const done = isFile ? finished(out) : once(gzip, 'end');
  gzip.end();
  await Promise.race([done, failed.promise]);
  return result;
}

/**
 * Writes a private file that must not exist. It gets its name when it is complete, so an interrupted backup is never
 * taken for a whole one.
 */
async function writeNewFile<T>(file: string, write: (out: Writable) => Promise<T>): Promise<T> {
  if (await exists(file)) throw new CommandError(`${file} exists already: name a new file.`);
  const draft = `${file}.${process.pid}.part`;
  const out = createWriteStream(draft, { mode: PRIVATE_MODE, flags: 'wx' });
  try {
    const result = await write(out);
    if (!out.writableEnded) out.end();
    await finished(out).catch(error => {
      if (!out.writableFinished) throw error;
    });
    await sync(draft);
    // A link fails where a rename would replace a file that another backup has written meanwhile.
    await link(draft, file);
    return result;
  } finally {
    out.destroy();
    await rm(draft, { force: true });
  }
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r');
  await handle.sync().finally(() => handle.close());
}

function openInput(file: string): Readable {
  return file === STANDARD_STREAM ? process.stdin : createReadStream(file);
}

async function readKeys(env: Env): Promise<string> {
  const keys = await findKeys(env);
  if (keys.length === 0) throw new CommandError('There are no encryption keys: set SECRET_KEYS, or DATA_DIR.');
  return `${formatSecretKeys(keys)}\n`;
}

/** Returns the keys of SECRET_KEYS, or those in DATA_DIR of the embedded default; none if there are none yet. */
async function findKeys({ secretKeys, databaseUrl, dataDir }: Env) {
  if (secretKeys) return secretKeys;
  if (databaseUrl) return [];
  const keys = parseSecretKeys((await readFile(path.join(dataDir, KEY_FILE_NAME), 'utf8').catch(() => '')).trim());
  return typeof keys === 'string' ? [] : keys;
}

async function installKeys({ databaseUrl, dataDir }: Env, file: string): Promise<void> {
  if (databaseUrl) throw new CommandError('With DATABASE_URL the keys are not kept in DATA_DIR: set SECRET_KEYS.');
  const text = (await readFile(file, 'utf8')).trim();
  const problem = parseSecretKeys(text);
  if (typeof problem === 'string') throw new CommandError(`${file}: ${problem}.`);
  const target = path.join(dataDir, KEY_FILE_NAME);
  if ((await readFile(target, 'utf8').catch(() => '')).trim() === text) return;
  await mkdir(dataDir, { recursive: true });
  await writeNewFile(target, async out => void out.write(`${text}\n`));
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
