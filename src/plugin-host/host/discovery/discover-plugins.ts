import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type DiscoveredPackage, PLUGIN_KEYWORD, readPackage } from './read-package.js';

/** Where plugins are looked for. */
export interface PluginSearchPaths {
  /** Its subfolders with a package.json of the keyword `rapport-plugin` are plugins. May be missing. */
  readonly dir: string;
  /** Names of npm packages. */
  readonly packages: readonly string[];
  /** Folder that the names are resolved from. Default: the working directory. */
  readonly from?: string;
}

/**
 * Looks for plugins: first the folders of the directory by name, then the named packages in their order. Reads nothing
 * but package.json. What was named and cannot be one is found all the same, with its problem. Never throws.
 */
export async function discoverPlugins({
  dir,
  packages,
  from = process.cwd(),
}: PluginSearchPaths): Promise<DiscoveredPackage[]> {
  const inDir = await Promise.all((await listFolders(dir)).map(folder => readFolder(folder)));
  const named = await Promise.all(packages.map(name => findInNodeModules(name, from)));
  const found = [...inDir.filter(each => each !== undefined), ...named];
  return found.filter(({ folder }, place) => found.findIndex(other => other.folder === folder) === place);
}

async function listFolders(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  const folders = names.toSorted().map(name => join(dir, name));
  const kinds = await Promise.all(folders.map(folder => stat(folder).catch(() => undefined)));
  const real = folders.filter((_, place) => kinds[place]?.isDirectory());
  return Promise.all(real.map(folder => realpath(folder)));
}

/** A package.json that cannot be read may be a plugin in the making; one without the keyword is none. */
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
  const problem = `${name} is no plugin: its package.json lacks the keyword "${PLUGIN_KEYWORD}".`;
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
