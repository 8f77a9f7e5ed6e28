import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { SDK_VERSION } from '#sdk/version.js';
import { CommandFailed } from '../admin-command.js';
import { pluginsDir, programDir } from './places.js';

/** A plugin that was begun. */
export interface BegunPlugin {
  readonly id: string;
  readonly dir: string;
  readonly files: readonly string[];
  /** It lies in this repository and uses its packages; otherwise it needs an install. */
  readonly in_tree: boolean;
}

const LEFT_OUT = new Set(['node_modules', 'dist', 'package-lock.json']);

/**
 * Copies the template and puts the new name in place of its own.
 * @param options `dir`: folder to make; `sdk`: what package.json asks for as the SDK, or the path of its tarball. Default: this version
 *   and later
 * @throws CommandFailed when the folder holds something already, or the template is not there
 */
export function beginPlugin(id: string, options: { readonly dir?: string; readonly sdk?: string }): BegunPlugin {
  const template = join(programDir, 'plugins', 'template');
  const dir = resolve(options.dir ?? join(pluginsDir(), id));
  if (!existsSync(template)) throw new CommandFailed(`The template is missing: there is no ${template}.`);
  if (existsSync(dir) && readdirSync(dir).length > 0)
    throw new CommandFailed(`${dir} is not empty: choose another --dir.`);
  const files = filesOf(template).map(file => {
    const text = readFileSync(join(template, file), 'utf8');
    const name = renamed(file, id);
    write(join(dir, name), file === 'package.json' ? packageFile(text, id, options.sdk) : renamed(text, id));
    return name;
  });
  write(join(dir, '.gitignore'), 'node_modules/\ndist/\n');
  const in_tree = isInTree(dir);
  if (in_tree) buildTypes();
  return { id, dir, files: [...files, '.gitignore'].toSorted(), in_tree };
}

function filesOf(dir: string): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const files = entries.map(entry => relative(dir, join(entry.parentPath, entry.name)));
  return files.filter(file => !LEFT_OUT.has(file.split(/[/\\]/)[0]!)).toSorted();
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The template is Acme Dialer in all its spellings. */
function renamed(text: string, id: string): string {
  const words = id.split('-').map(word => word[0]!.toUpperCase() + word.slice(1));
  return text
    .replaceAll('acme-dialer', id)
    .replaceAll('acme_dialer', id.replaceAll('-', '_'))
    .replaceAll('AcmeDialer', words.join(''))
    .replaceAll('Acme Dialer', words.join(' '));
}

/** A template is no plugin of a hub, so its keyword is another one. */
function packageFile(text: string, id: string, sdk = `^${SDK_VERSION}`): string {
  const fields = JSON.parse(renamed(text, id).replaceAll('rapport-plugin-template', 'rapport-plugin')) as {
    devDependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  fields.devDependencies['@rapport/plugin-sdk'] = existsSync(sdk) ? `file:${resolve(sdk)}` : sdk;
  fields.peerDependencies['@rapport/plugin-sdk'] = `^${SDK_VERSION}`;
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/** Packages are looked for upwards, so what lies in the repository has its packages. */
function isInTree(dir: string): boolean {
  const from = relative(realpathSync(programDir), realpathSync(dir));
  return !from.startsWith('..') && existsSync(join(programDir, 'scripts', 'build-sdk.mjs'));
}

function buildTypes(): void {
  const script = join(programDir, 'scripts', 'build-sdk.mjs');
  const { status } = spawnSync(process.execPath, [script, '--types'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new CommandFailed('The declarations of the SDK could not be built; the plugin is there.');
}
