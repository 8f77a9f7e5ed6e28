import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What a running server writes about itself into its cluster. */
export interface PostmasterFile {
  readonly pid: number;
  /** Whether the server says that it takes connections. */
  readonly isReady: boolean;
}

/** Reads the text of postmaster.pid; undefined while it is only half written. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return { pid, isReady: lines[7]?.trim() === 'ready' };
}

/** The path of postmaster.pid in a cluster. */
export function getPostmasterFilePath(cluster: string): string {
  return path.join(cluster, 'postmaster.pid');
}

/** What postmaster.pid of a cluster says; undefined without one. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(getPostmasterFilePath(cluster), 'utf8').catch(() => '');
  return parsePostmasterFile(text);
}
