import os from 'node:os';
import path from 'node:path';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the configuration folder: `rapport` in XDG_CONFIG_HOME or ~/.config, or in APPDATA on Windows. */
export function configFolder(env: Environment): string {
  const given = env['XDG_CONFIG_HOME'] ?? (process.platform === 'win32' ? env['APPDATA'] : undefined);
  // The XDG specification says to ignore relative paths.
  const base = given && path.isAbsolute(given) ? given : path.join(env['HOME'] ?? os.homedir(), '.config');
  return path.join(base, 'rapport');
}

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
