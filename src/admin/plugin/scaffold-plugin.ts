import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { SDK_VERSION } from '#sdk/version.js';
import { CommandError } from '../admin-context.js';
import { getPluginsDir, PROGRAM_DIR } from './paths.js';

/** A plugin that was begun. */
export interface ScaffoldedPlugin {
  readonly id: string;
  readonly dir: string;
  readonly files: readonly string[];
  /** It lies in this repository and uses its packages; otherwise it needs an install. */
  readonly in_tree: boolean;
}

const IGNORED_FILES = new Set(['node_modules', 'dist', 'package-lock.json']);

/**
 * Copies the template and puts the new name in place of its own.
 * @param options `dir`: folder to make; `sdk`: what package.json asks for as the SDK, or the path of its tarball. Default: this version
 *   and later
 * @throws CommandFailed when the folder holds something already, or the template is not there
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

/** The template is Acme Dialer in all its spellings. */
function replaceTemplateNames(text: string, id: string): string {
  const words = id.split('-').map(word => word[0]!.toUpperCase() + word.slice(1));
  return text
    .replaceAll('acme-dialer', id)
    .replaceAll('acme_dialer', id.replaceAll('-', '_'))
    .replaceAll('AcmeDialer', words.join(''))
    .replaceAll('Acme Dialer', words.join(' '));
}

/** A template is no plugin of a hub, so its keyword is another one. */
function buildPackageJson(text: string, id: string, sdk = `^${SDK_VERSION}`): string {
  const fields = JSON.parse(replaceTemplateNames(text, id).replaceAll('rapport-plugin-template', 'rapport-plugin')) as {
    devDependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  fields.devDependencies['@rapport/plugin-sdk'] = existsSync(sdk) ? `file:${resolve(sdk)}` : sdk;
  fields.peerDependencies['@rapport/plugin-sdk'] = `^${SDK_VERSION}`;
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/** Packages are looked for upwards, so what lies in the repository has its packages. */
function isInTree(dir: string): boolean {
  const from = relative(realpathSync(PROGRAM_DIR), realpathSync(dir));
  return !from.startsWith('..') && existsSync(join(PROGRAM_DIR, 'scripts', 'build-sdk.mjs'));
}

function buildTypes(): void {
  const script = join(PROGRAM_DIR, 'scripts', 'build-sdk.mjs');
  const { status } = spawnSync(process.execPath, [script, '--types'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new CommandError('The declarations of the SDK could not be built; the plugin is there.');
}
