import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Writes a file atomically with mode 0600, in a folder with mode 0700. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const draft = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
