import { lstatSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { PLUGIN_KEYWORD } from '#kernel/plugins/find/package-file.js';
import { CommandFailed } from '../admin-command.js';
import { pluginsDir } from './places.js';

/** A plugin that lies elsewhere and is seen in a plugins folder. */
export interface LinkedPlugin {
  readonly link: string;
  readonly dir: string;
  /** The link stood there before. */
  readonly already: boolean;
}

/**
 * Puts a link to a plugin into a plugins folder.
 * @throws CommandFailed when the folder is no plugin, or when something else has its name
 */
export function linkPlugin(folder: string, to: string = pluginsDir()): LinkedPlugin {
  const dir = realOf(folder);
  if (!keywordsOf(dir).includes(PLUGIN_KEYWORD)) {
    throw new CommandFailed(`${dir} is no plugin: its package.json needs the keyword "${PLUGIN_KEYWORD}".`);
  }
  const link = join(resolve(to), basename(dir));
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there && realOf(link) === dir) return { link, dir, already: true };
  if (there) throw new CommandFailed(`${link} is there already and is something else: remove or rename it.`);
  mkdirSync(resolve(to), { recursive: true });
  symlinkSync(dir, link, 'junction');
  return { link, dir, already: false };
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    throw new CommandFailed(`There is no folder ${resolve(folder)}.`);
  }
}

function keywordsOf(dir: string): readonly unknown[] {
  try {
    const { keywords } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { keywords?: unknown };
    return Array.isArray(keywords) ? keywords : [];
  } catch {
    throw new CommandFailed(`${dir} has no package.json that can be read.`);
  }
}
