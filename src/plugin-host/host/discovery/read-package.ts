import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A package that says it is a plugin. Only its package.json was read; none of its code has run. */
export interface DiscoveredPackage {
  /** Name in package.json, else the name of its folder. */
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** Addresses (file:) of the module and of the manifest; absent where `problem` says why. */
  readonly entryUrl?: string;
  readonly manifestUrl?: string;
  /** Why it cannot be a plugin, in a sentence that mends it. */
  readonly problem?: string;
}

/** The word in `keywords` that makes a package a plugin. */
export const PLUGIN_KEYWORD = 'rapport-plugin';

const CONDITIONS = ['node', 'import', 'default'];

type Fields = Readonly<Record<string, unknown>>;

/** Reads the package.json of a folder. Undefined when there is none. Never throws for what stands in it. */
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
  return { ...known, entryUrl: entryUrl, manifestUrl: manifestUrl };
}

function parseJsonObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** The target of `exports` for a subpath: a text, or conditions inside each other. */
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
  const address = new URL(path.startsWith('.') ? path : `./${path}`, base).href;
  return address.startsWith(base.href) ? address : undefined;
}
