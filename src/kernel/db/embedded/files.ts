import { open, readdir } from 'node:fs/promises';
import { isFileNotFound } from './startup-errors.js';

/** Lists the names in a folder; empty if there is no folder. */
export async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isFileNotFound(error)) return [];
    throw error;
  });
}

/** Makes a rename in this folder survive a power failure. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
