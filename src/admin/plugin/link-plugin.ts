import { lstatSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { PLUGIN_KEYWORD } from '#plugin-host/host/discovery/read-package.js';
import { CommandError } from '../admin-context.js';
import { getPluginsDir } from './paths.js';

/** A plugin that lies elsewhere and is seen in a plugins folder. */
export interface PluginLink {
  readonly link: string;
  readonly dir: string;
  /** The link stood there before. */
  readonly already: boolean;
}

/**
 * Puts a link to a plugin into a plugins folder.
 * @throws CommandFailed when the folder is no plugin, or when something else has its name
 */
export function linkPlugin(folder: string, to: string = getPluginsDir()): PluginLink {
  const dir = resolveFolder(folder);
  if (!readKeywords(dir).includes(PLUGIN_KEYWORD)) {
    throw new CommandError(`${dir} is no plugin: its package.json needs the keyword "${PLUGIN_KEYWORD}".`);
  }
  const link = join(resolve(to), basename(dir));
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there && resolveFolder(link) === dir) return { link, dir, already: true };
  if (there) throw new CommandError(`${link} is there already and is something else: remove or rename it.`);
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
    throw new CommandError(`${dir} has no package.json that can be read.`);
  }
}
