import { readFile, readdir, realpath, stat } from 'node:fs/promises';
import { join, basename, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import semver from 'semver';
import { checkManifest } from '#sdk/manifest/check-manifest.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { manifestSchema } from '#sdk/manifest/manifest.schema.js';
import { SDK_VERSION } from '#sdk/version.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { importGeneration } from './module-generations.js';
import { withTimeout } from '#kernel/scheduling/timeout.js';

/** A package that claims to be a plugin. Only its package.json was read; none of its code has run. */
export interface DiscoveredPackage {
  /** Name in package.json, else the name of its folder. */
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** URLs (`file:`) of the module and the manifest; absent if there is a `problem`. */
  readonly entryUrl?: string;
  readonly manifestUrl?: string;
  /** Why it cannot be loaded, and how to fix it. */
  readonly problem?: string;
}

/** The keyword in package.json that marks a package as a plugin. */
export const PLUGIN_KEYWORD = 'rapport-plugin';

const CONDITIONS = ['node', 'import', 'default'];

type Fields = Readonly<Record<string, unknown>>;

/** Reads the package.json of a folder; returns undefined if there is none. Never throws for its content. */
export async function readPackage(
  folder: string,
  fallbackName: string,
): Promise<(DiscoveredPackage & { fields: Fields }) | undefined> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const fields = parseJsonObject(text);
  const unnamed = { name: fallbackName, version: '', folder, fields: fields ?? {} };
  if (!fields) return { ...unnamed, problem: 'package.json is not a JSON object: correct it.' };
  const name = typeof fields['name'] === 'string' ? fields['name'] : fallbackName;
  const version = typeof fields['version'] === 'string' ? fields['version'] : '';
  const known = { name, version, folder, fields };
  const entry = findExport(fields, '.') ?? toNonEmptyString(fields['main']);
  const manifest =
    findExport(fields, './manifest') ?? toNonEmptyString((fields['rapport'] as Fields | undefined)?.['manifest']);
  if (version === '') return { ...known, problem: 'package.json has no version: add one.' };
  if (!entry) return { ...known, problem: 'package.json names no module: add "exports": {".": "./…"}.' };
  if (!manifest) {
    return { ...known, problem: 'package.json names no manifest: add "./manifest" to exports, or rapport.manifest.' };
  }
  const [entryUrl, manifestUrl] = [entry, manifest].map(path => toContainedUrl(folder, path));
  if (!entryUrl || !manifestUrl) return { ...known, problem: 'package.json names a file outside of its own folder.' };
  return { ...known, entryUrl, manifestUrl };
}

function parseJsonObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the target of `exports` for a subpath; it may be a string or nested conditions. */
function findExport({ exports }: Fields, subpath: string): string | undefined {
  if (typeof exports === 'string') return subpath === '.' ? exports : undefined;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const map = exports as Fields;
  return resolveConditions(subpath in map ? map[subpath] : subpath === '.' && !('./manifest' in map) ? map : undefined);
}

function resolveConditions(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const chosen = CONDITIONS.find(condition => condition in value);
  return chosen === undefined ? undefined : resolveConditions((value as Fields)[chosen]);
}

function toNonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toContainedUrl(folder: string, path: string): string | undefined {
  const base = pathToFileURL(`${folder}/`);
  const url = new URL(path.startsWith('.') ? path : `./${path}`, base).href;
  return url.startsWith(base.href) ? url : undefined;
}

/** A valid manifest, or the reason why it cannot be loaded. */
export type ManifestResult =
  | { readonly state: 'valid'; readonly manifest: PluginManifest }
  | { readonly state: 'invalid' | 'incompatible'; readonly reason: string; readonly id?: string };

const IMPORT_TIMEOUT_MS = 5_000;
const MAX_ERRORS_SHOWN = 5;

/** Plugins that are bundled with the hub. Their tool names are part of the hub's API, so they need no prefix. */
const BUNDLED_PLUGINS = new Set(['calcom', 'crm', 'csv-import', 'triggers']);

const BUNDLED_FOLDER = fileURLToPath(new URL('../../../plugins', import.meta.url));

/** Returns whether a package is one of the plugins that are bundled with the hub. */
export function isBundled({ folder }: DiscoveredPackage): boolean {
  return dirname(folder) === BUNDLED_FOLDER && BUNDLED_PLUGINS.has(basename(folder));
}

const matchesSchema = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile<PluginManifest>(
  manifestSchema,
);

/**
 * Imports and validates the manifest of a package. It must match the schema, survive a JSON round trip, and accept this
 * version of the SDK. Never throws.
 * @param generation a new number imports the file again
 */
export async function readManifest(found: DiscoveredPackage, generation: number): Promise<ManifestResult> {
  if (found.problem !== undefined || !found.manifestUrl) return invalidManifest(found.problem ?? 'It has no manifest.');
  try {
    const imported = await withTimeout(
      IMPORT_TIMEOUT_MS,
      importGeneration(found.manifestUrl, generation),
      'importing the manifest',
    );
    return validateManifest(imported['default'] ?? imported['manifest']);
  } catch (error) {
    return invalidManifest(`The manifest cannot be imported: ${errorMessage(error)}`);
  }
}

function validateManifest(value: unknown): ManifestResult {
  if (value === undefined) return invalidManifest('The manifest has no default export: export it as default.');
  const manifest = toPlainJson(value);
  if (manifest === undefined) {
    const reason = 'The manifest does not survive JSON: leave out functions, classes, undefined, dates and cycles.';
    return { ...invalidManifest(reason), ...readId(value) };
  }
  const id = readId(manifest);
  if (!matchesSchema(manifest))
    return {
      ...invalidManifest(`The manifest does not fit: ${formatSchemaErrors(matchesSchema.errors ?? [])}`),
      ...id,
    };
  if (!semver.validRange(manifest.sdk))
    return { ...invalidManifest(`sdk "${manifest.sdk}" is not a semver range.`), ...id };
  if (!semver.satisfies(SDK_VERSION, manifest.sdk)) {
    const problem = `It was written for SDK ${manifest.sdk}, and this hub has ${SDK_VERSION}`;
    return { state: 'incompatible', reason: `${problem}: install a version of the plugin for it.`, ...id };
  }
  const faults = checkManifest(manifest, { freeToolNames: BUNDLED_PLUGINS.has(manifest.id) });
  return faults.length > 0 ? { ...invalidManifest(faults.join(' ')), ...id } : { state: 'valid', manifest };
}

/** Returns a copy through JSON, which the plugin cannot change later; undefined if the copy differs. */
function toPlainJson(value: unknown): unknown {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    return isDeepStrictEqual(copy, value) ? copy : undefined;
  } catch {
    return undefined;
  }
}

function formatSchemaErrors(errors: readonly ErrorObject[]): string {
  const shown = errors.slice(0, MAX_ERRORS_SHOWN).map(({ instancePath, message, params }) => {
    const named: unknown = params['additionalProperty'] ?? params['allowedValues'] ?? params['propertyName'];
    return `${instancePath || 'it'} ${message ?? 'is not accepted'}${named === undefined ? '' : `: ${JSON.stringify(named)}`}`;
  });
  const more = errors.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

function readId(manifest: unknown): { id?: string } {
  const id = typeof manifest === 'object' && manifest !== null && 'id' in manifest ? manifest.id : undefined;
  return typeof id === 'string' && id.length <= 100 ? { id } : {};
}

function invalidManifest(reason: string): ManifestResult & { state: 'invalid' } {
  return { state: 'invalid', reason };
}

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
