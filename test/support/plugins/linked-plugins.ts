import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A plugins folder that is made of others' plugins. */
export interface LinkedPlugins {
  /** For PLUGINS_DIR. */
  readonly dir: string;
  remove(): void;
}

/** Makes a plugins folder with a link to each of these folders of plugins. */
export function linkedPlugins(...folders: readonly string[]): LinkedPlugins {
  const dir = mkdtempSync(path.join(tmpdir(), 'rapport-linked-'));
  for (const folder of folders) symlinkSync(folder, path.join(dir, path.basename(folder)), 'junction');
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
