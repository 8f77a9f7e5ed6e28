import { copyFile, open, rename, stat, truncate, type FileHandle } from 'node:fs/promises';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';

/**
 * Converts any failure of a start to an Error whose message is one sentence for the operator. Wraps errors of the
 * operating system (no permission, disk full); other errors are sentences already.
 */
export function toStartupError(error: unknown, dataDir: string): unknown {
  if (getErrorField(error, 'syscall') === undefined) return error;
  return new Error(
    `The embedded database cannot be started in ${dataDir} (${getErrorMessage(error)}): ` +
      'set DATA_DIR to a local folder that you may write in, or set DATABASE_URL to a PostgreSQL server.',
    { cause: error },
  );
}

/** Returns the message of a thrown value. */
export function getErrorMessage(error: unknown): string {
  return String(getErrorField(error, 'message') ?? error);
}

/** Returns whether an error has one of the given codes, such as EACCES or a SQLSTATE. */
export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(String(getErrorField(error, 'code')));
}

/** Returns whether a file system error means that the path does not exist. */
export function isFileNotFound(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT');
}

/** Returns a field of a thrown value. By shape, because `instanceof Error` misses errors from another realm. */
export function getErrorField(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

const MAX_LOG_BYTES = 5 * 1024 * 1024;
const SIZE_CHECK_INTERVAL_MS = 60_000;

/** Opens the server's log for appending; renames a large one to `<log>.1` first. */
export async function openServerLog(file: string): Promise<FileHandle> {
  if (await isLarge(file)) await rename(file, `${file}.1`);
  return open(file, 'a', 0o600);
}

/** Bounds the size of a running server's log; returns a function that stops the checks. */
export function startLogRotation(file: string): () => void {
  const timer = new PeriodicTimer({ intervalMs: SIZE_CHECK_INTERVAL_MS, run: () => rotateIfLarge(file) }).start();
  return () => void timer.stop();
}

// The server appends to its open file, so the file can be truncated while it runs.
async function rotateIfLarge(file: string): Promise<void> {
  if (!(await isLarge(file))) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}

async function isLarge(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  return stats !== undefined && stats.size > MAX_LOG_BYTES;
}

/** Reads the log from the given byte to its end. */
export async function readLogSince(file: string, start: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read({
      buffer: Buffer.alloc(Math.max(0, size - start)),
      position: start,
    });
    return buffer.toString('utf8');
  } finally {
    await handle.close();
  }
}

/** Finds the message that explains best why PostgreSQL failed, without its time stamp; empty if there is none. */
export function findCause(text: string): string {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  const causeLine = lines.findLast(line => /(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? '';
  return causeLine.replace(/^.*?(FATAL|PANIC|LOG|ERROR|error):\s+/, '').replace(/(?<![.\s])[.\s]+$/, '');
}
