import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SDK_VERSION } from '#sdk/version.js';
import { CommandError } from '../admin-context.js';
import { getPluginsDir } from './link-plugin.js';

/** Root folder of this program: the repository or the installed package. */
const PROGRAM_DIR = fileURLToPath(new URL('../../../', import.meta.url));

/** A plugin that was created from the template. */
export interface ScaffoldedPlugin {
  readonly id: string;
  readonly dir: string;
  readonly files: readonly string[];
  /** Whether it is inside this repository and uses its packages; otherwise it needs `npm install`. */
  readonly in_tree: boolean;
}

const IGNORED_FILES = new Set(['node_modules', 'dist', 'package-lock.json']);

/**
 * Creates a plugin from the template, under a new name.
 * @param options `dir`: the folder to create; `sdk`: version range of the SDK, or path of its tarball. Default: `^`
 *   and the version of this hub's SDK
 * @throws CommandError if the folder is not empty, or the template is missing
 */
export function scaffoldPlugin(
  id: string,
  options: { readonly dir?: string; readonly sdk?: string },
): ScaffoldedPlugin {
  const template = join(PROGRAM_DIR, 'plugins', 'template');
  const dir = resolve(options.dir ?? join(getPluginsDir(), id));
  if (!existsSync(template)) throw new CommandError(`The template is missing: there is no ${template}.`);
  if (existsSync(dir) && readdirSync(dir).length > 0)
    throw new CommandError(`${dir} is not empty: choose another --dir.`);
  const files = listFiles(template).map(file => {
    const text = readFileSync(join(template, file), 'utf8');
    const name = replaceTemplateNames(file, id);
    writeFile(
      join(dir, name),
      file === 'package.json' ? buildPackageJson(text, id, options.sdk) : replaceTemplateNames(text, id),
    );
    return name;
  });
  writeFile(join(dir, '.gitignore'), 'node_modules/\ndist/\n');
  const in_tree = isInTree(dir);
  if (in_tree) buildTypes();
  return { id, dir, files: [...files, '.gitignore'].toSorted(), in_tree };
}

function listFiles(dir: string): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const files = entries.map(entry => relative(dir, join(entry.parentPath, entry.name)));
  return files.filter(file => !IGNORED_FILES.has(file.split(/[/\\]/)[0]!)).toSorted();
}

function writeFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Replaces all spellings of the template's name, Acme Dialer. */
function replaceTemplateNames(text: string, id: string): string {
  const words = id.split('-').map(word => word[0]!.toUpperCase() + word.slice(1));
  return text
    .replaceAll('acme-dialer', id)
    .replaceAll('acme_dialer', id.replaceAll('-', '_'))
    .replaceAll('AcmeDialer', words.join(''))
    .replaceAll('Acme Dialer', words.join(' '));
}

/** Builds package.json. The template has another keyword, so that hubs do not load it as a plugin. */
function buildPackageJson(text: string, id: string, sdk = `^${SDK_VERSION}`): string {
  const fields = JSON.parse(replaceTemplateNames(text, id).replaceAll('rapport-plugin-template', 'rapport-plugin')) as {
    devDependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  fields.devDependencies['@rapport/plugin-sdk'] = existsSync(sdk) ? `file:${resolve(sdk)}` : sdk;
  fields.peerDependencies['@rapport/plugin-sdk'] = `^${SDK_VERSION}`;
  // The package `node` fetches the program that tests run with. In a workspace npm would ignore the field.
  return `${JSON.stringify({ ...fields, allowScripts: { node: true } }, null, 2)}\n`;
}

/** Returns whether a folder is inside the repository, whose packages Node then finds in a parent folder. */
function isInTree(dir: string): boolean {
  const from = relative(realpathSync(PROGRAM_DIR), realpathSync(dir));
  return !from.startsWith('..') && existsSync(join(PROGRAM_DIR, 'scripts', 'build-sdk.mjs'));
}

function buildTypes(): void {
  const script = join(PROGRAM_DIR, 'scripts', 'build-sdk.mjs');
  const { status } = spawnSync(process.execPath, [script, '--types'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0)
    throw new CommandError('The type declarations of the SDK could not be built. The plugin was created.');
}
