import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type DiscoveredPackage, PLUGIN_KEYWORD, readPackage } from './read-package.js';

/** The places where plugins are searched. */
export interface PluginSearchPaths {
  /** Folder whose subfolders are plugins if their package.json has the keyword `rapport-plugin`. It may be missing. */
  readonly dir: string;
  /** Names of npm packages. */
  readonly packages: readonly string[];
  /** Folder that the names are resolved from. Default: the working directory. */
  readonly from?: string;
}

/**
 * Discovers plugins: first the folders of `dir` by name, then the named packages in their order. Reads only
 * package.json. A named package that is not a usable plugin is returned with its problem. Never throws.
 */
export async function discoverPlugins({
  dir,
  packages,
  from = process.cwd(),
}: PluginSearchPaths): Promise<DiscoveredPackage[]> {
  const inDir = await Promise.all((await listFolders(dir)).map(folder => readFolder(folder)));
  const named = await Promise.all(packages.map(name => findInNodeModules(name, from)));
  const found = [...inDir.filter(each => each !== undefined), ...named];
  return found.filter(({ folder }, index) => found.findIndex(other => other.folder === folder) === index);
}

async function listFolders(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  const folders = names.toSorted().map(name => join(dir, name));
  const kinds = await Promise.all(folders.map(folder => stat(folder).catch(() => undefined)));
  const directories = folders.filter((_, index) => kinds[index]?.isDirectory());
  return Promise.all(directories.map(folder => realpath(folder)));
}

/** Returns a plugin; also if its package.json is unreadable, because it may be a plugin in development. */
async function readFolder(folder: string): Promise<DiscoveredPackage | undefined> {
  const found = await readPackage(folder, basename(folder));
  if (!found) return undefined;
  const { fields, ...plugin } = found;
  const unreadable = Object.keys(fields).length === 0;
  return unreadable || hasPluginKeyword(fields) ? plugin : undefined;
}

async function findInNodeModules(name: string, from: string): Promise<DiscoveredPackage> {
  for (let ancestor = resolve(from); ; ancestor = dirname(ancestor)) {
    const folder = join(ancestor, 'node_modules', name);
    const found = await readPackage(folder, name);
    if (found) return requireKeyword(found, await realpath(folder));
    if (dirname(ancestor) === ancestor) break;
  }
  return toMissingPackage(name, from);
}

function requireKeyword(
  { fields, ...plugin }: DiscoveredPackage & { fields: object },
  folder: string,
): DiscoveredPackage {
  if (hasPluginKeyword(fields) || plugin.problem) return { ...plugin, folder };
  const { name, version } = plugin;
  const problem = `${name} is not a plugin: its package.json lacks the keyword "${PLUGIN_KEYWORD}".`;
  return { name, version, folder, problem };
}

function toMissingPackage(name: string, from: string): DiscoveredPackage {
  const problem = `RAPPORT_PLUGINS names ${name}, which is not installed: npm install ${name} in ${from}.`;
  return { name, version: '', folder: join(from, 'node_modules', name), problem };
}

function hasPluginKeyword(fields: object): boolean {
  const keywords = 'keywords' in fields ? fields.keywords : undefined;
  return Array.isArray(keywords) && keywords.includes(PLUGIN_KEYWORD);
}
