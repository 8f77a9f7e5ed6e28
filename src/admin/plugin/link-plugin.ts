import { lstatSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { PLUGIN_KEYWORD } from '#plugin-host/host/discover-plugins.js';
import { CommandError } from '../admin-context.js';

/** A link in a plugins folder to a plugin elsewhere. */
export interface PluginLink {
  readonly link: string;
  readonly dir: string;
  /** Whether the link existed before. */
  readonly already: boolean;
}

/**
 * Creates a link to a plugin in a plugins folder.
 * @throws CommandError if the folder is not a plugin, or if the name is taken by something else
 */
export function linkPlugin(folder: string, to: string = getPluginsDir()): PluginLink {
  const dir = resolveFolder(folder);
  if (!readKeywords(dir).includes(PLUGIN_KEYWORD)) {
    throw new CommandError(`${dir} is not a plugin: its package.json needs the keyword "${PLUGIN_KEYWORD}".`);
  }
  const link = join(resolve(to), basename(dir));
  const existing = lstatSync(link, { throwIfNoEntry: false });
  if (existing && resolveFolder(link) === dir) return { link, dir, already: true };
  if (existing) throw new CommandError(`${link} exists and is something else: remove or rename it.`);
  mkdirSync(resolve(to), { recursive: true });
  symlinkSync(dir, link, 'junction');
  return { link, dir, already: false };
}

function resolveFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    throw new CommandError(`There is no folder ${resolve(folder)}.`);
  }
}

function readKeywords(dir: string): readonly unknown[] {
  try {
    const { keywords } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { keywords?: unknown };
    return Array.isArray(keywords) ? keywords : [];
  } catch {
    throw new CommandError(`${dir} has no readable package.json.`);
  }
}

/** Returns the folder where a hub that is started here discovers plugins. */
export function getPluginsDir(): string {
  return process.env['PLUGINS_DIR']?.trim() || 'plugins';
}
