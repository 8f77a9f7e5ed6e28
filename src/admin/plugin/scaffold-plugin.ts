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
  mkdirSync(dir, { recursive: true });
  const in_tree = isInTree(dir);
  const fromTemplate = listFiles(template).map((file): [name: string, text: string] => {
    const text = replaceTemplateNames(readFileSync(join(template, file), 'utf8'), id);
    return [replaceTemplateNames(file, id), file === 'package.json' ? buildPackageJson(text, options.sdk) : text];
  });
  const files = new Map([...fromTemplate, ['.gitignore', 'node_modules/\ndist/\n']]);
  if (!in_tree) makeStandalone(files, id);
  for (const [name, text] of files) writeFile(join(dir, name), text);
  if (in_tree) buildTypes();
  return { id, dir, files: [...files.keys()].toSorted(), in_tree };
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

/** The parts of package.json that differ from the template. */
interface PackageFields {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
}

/** Builds package.json. The template has another keyword, so that hubs do not load it as a plugin. */
function buildPackageJson(text: string, sdk = `^${SDK_VERSION}`): string {
  const fields = JSON.parse(text.replaceAll('rapport-plugin-template', 'rapport-plugin')) as PackageFields;
  fields.devDependencies['@rapport/plugin-sdk'] = existsSync(sdk) ? `file:${resolve(sdk)}` : sdk;
  fields.peerDependencies['@rapport/plugin-sdk'] = `^${SDK_VERSION}`;
  return toJson(fields);
}

const ROLLDOWN_VERSION = '^1.3.3';

/**
 * Has a plugin outside of the repository build itself: its code and packages become one file, beside the manifest and the
 * fixtures, so that installing it installs nothing else.
 */
function makeStandalone(files: Map<string, string>, id: string): void {
  const { dependencies, devDependencies, ...fields } = JSON.parse(files.get('package.json')!) as PackageFields;
  const standalone = {
    ...fields,
    files: ['dist'],
    exports: {
      '.': './dist/plugin.js',
      './manifest': './dist/manifest.js',
      './fixtures': './dist/fixtures.js',
      './package.json': './package.json',
    },
    scripts: {
      build: 'rolldown -c',
      prepack: 'rolldown -c',
      test: 'tsc && rolldown -c && node --test "build/test/*.test.js"',
    },
    devDependencies: sortByName({ ...dependencies, ...devDependencies, rolldown: ROLLDOWN_VERSION }),
    // The package `node` fetches the program that tests run with. In a workspace npm would ignore the field.
    allowScripts: { node: true },
  };
  files.set('package.json', toJson(standalone));
  files.set('tsconfig.json', files.get('tsconfig.json')!.replace('"outDir": "dist"', '"outDir": "build"'));
  files.set('.gitignore', 'node_modules/\nbuild/\ndist/\n');
  files.set('rolldown.config.mjs', formatBundlerConfig(id));
}

function formatBundlerConfig(id: string): string {
  return `import { defineConfig } from 'rolldown';

// The hub has Nest and the SDK; everything else is bundled.
export default defineConfig({
  input: { plugin: 'src/${id}.plugin.ts', manifest: 'src/manifest.ts', fixtures: 'src/fixtures.ts' },
  platform: 'node',
  external: [/^@nestjs\\//, /^@rapport\\//],
  output: { dir: 'dist', format: 'esm' },
});
`;
}

function sortByName(packages: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
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
