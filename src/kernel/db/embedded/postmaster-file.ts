import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** State that a running server writes into its cluster. */
export interface PostmasterFile {
  readonly pid: number;
  /** Whether the server reports that it accepts connections. */
  readonly isReady: boolean;
}

/** Parses the text of postmaster.pid; undefined while it is incomplete. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return { pid, isReady: lines[7]?.trim() === 'ready' };
}

/** Returns the path of postmaster.pid in a cluster. */
export function getPostmasterFilePath(cluster: string): string {
  return path.join(cluster, 'postmaster.pid');
}

/** Reads postmaster.pid of a cluster; undefined if there is none. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(getPostmasterFilePath(cluster), 'utf8').catch(() => '');
  return parsePostmasterFile(text);
}
