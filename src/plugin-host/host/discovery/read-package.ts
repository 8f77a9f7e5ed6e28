import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

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
