import { copyFile, open, rename, stat, truncate } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

const LARGEST_BYTES = 5 * 1024 * 1024;
const LOOK_EVERY_MS = 60_000;

/** Opens the server's log for appending; one that has grown large becomes `<log>.1` first. */
export async function openServerLog(file: string): Promise<FileHandle> {
  if (await isLarge(file)) await rename(file, `${file}.1`);
  return open(file, 'a', 0o600);
}

/** Keeps the log of a running server from growing without end; returns what ends the watch. */
export function keepLogSmall(file: string): () => void {
  const timer = setInterval(() => void cutWhenLarge(file).catch(() => undefined), LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

// The server writes at the end of its open file wherever that is, so the file may be emptied under it.
async function cutWhenLarge(file: string): Promise<void> {
  if (!(await isLarge(file))) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}

async function isLarge(file: string): Promise<boolean> {
  const there = await stat(file).catch(() => undefined);
  return there !== undefined && there.size > LARGEST_BYTES;
}

/** What was logged after the given byte. */
export async function logSince(file: string, start: number): Promise<string> {
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

/** The message that says most about why PostgreSQL gave up, without its time stamp; empty without any. */
export function causeInLog(text: string): string {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  const telling = lines.findLast(line => /(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? '';
  return telling.replace(/^.*?(FATAL|PANIC|LOG|ERROR|error):\s+/, '').replace(/(?<![.\s])[.\s]+$/, '');
}
