import { open, readdir } from 'node:fs/promises';
import { isFileNotFound } from './startup-errors.js';

/** The names in a folder; none when there is no folder. */
export async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((problem: unknown) => {
    if (isFileNotFound(problem)) return [];
    throw problem;
  });
}

/** Makes a rename in this folder outlive a power cut. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
