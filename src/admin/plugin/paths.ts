import { fileURLToPath } from 'node:url';

/** The folder of this program: of the repository, or of the installed package. */
export const PROGRAM_DIR = fileURLToPath(new URL('../../../', import.meta.url));

/** Where a hub that is started here looks for plugins. */
export function getPluginsDir(): string {
  return process.env['PLUGINS_DIR']?.trim() || 'plugins';
}
