import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import semver from 'semver';
import { checkManifest } from '#sdk/check-manifest.js';
import type { PluginManifest } from '#sdk/manifest.js';
import { manifestSchema } from '#sdk/manifest.schema.js';
import { SDK_VERSION } from '#sdk/version.js';
import { reasonOf } from '#kernel/queue/sparing.log.js';
import { within } from '#kernel/queue/within.js';
import type { FoundPackage } from './package-file.js';

/** A manifest that may be loaded, or why not. */
export type ManifestReading =
  | { readonly state: 'valid'; readonly manifest: PluginManifest }
  | { readonly state: 'invalid' | 'incompatible'; readonly reason: string; readonly id?: string };

const IMPORT_MS = 5_000;
const FAULTS_SHOWN = 5;

/** Plugins that come with the hub; their tools bear the names that the hub has promised. */
const BUNDLED = new Set(['calcom', 'crm', 'csv-import', 'triggers']);

const fits = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile<PluginManifest>(
  manifestSchema,
);

/**
 * Imports the manifest of a package, which must be data: it is checked against the schema, must survive a trip through
 * JSON, and must have been written for this version of the SDK. Never throws.
 * @param generation another one imports the file anew
 */
export async function readManifest(found: FoundPackage, generation: number): Promise<ManifestReading> {
  if (found.problem !== undefined || !found.manifest) return invalid(found.problem ?? 'It has no manifest.');
  try {
    const imported = await within(IMPORT_MS, importFresh(found.manifest, generation), 'importing the manifest');
    return judge(imported['default'] ?? imported['manifest']);
  } catch (error) {
    return invalid(`The manifest cannot be imported: ${reasonOf(error)}`);
  }
}

/** Imports a module; a generation above 0 makes it another module than before. What it imports itself stays. */
export function importFresh(address: string, generation: number): Promise<Record<string, unknown>> {
  return import(generation === 0 ? address : `${address}?generation=${generation}`) as Promise<Record<string, unknown>>;
}

function judge(value: unknown): ManifestReading {
  if (value === undefined) return invalid('The manifest has no default export: export it as default.');
  const manifest = asData(value);
  if (manifest === undefined) {
    const reason = 'The manifest does not survive JSON: leave out functions, classes, undefined, dates and cycles.';
    return { ...invalid(reason), ...idOf(value) };
  }
  const id = idOf(manifest);
  if (!fits(manifest)) return { ...invalid(`The manifest does not fit: ${faultsOf(fits.errors ?? [])}`), ...id };
  if (!semver.validRange(manifest.sdk)) return { ...invalid(`sdk "${manifest.sdk}" is no semver range.`), ...id };
  if (!semver.satisfies(SDK_VERSION, manifest.sdk)) {
    const what = `It was written for SDK ${manifest.sdk}, and this hub has ${SDK_VERSION}`;
    return { state: 'incompatible', reason: `${what}: install a version of the plugin for it.`, ...id };
  }
  const faults = checkManifest(manifest, { freeToolNames: BUNDLED.has(manifest.id) });
  return faults.length > 0 ? { ...invalid(faults.join(' ')), ...id } : { state: 'valid', manifest };
}

/** A copy through JSON, frozen by nobody's reach; undefined when something is lost on the way. */
function asData(value: unknown): unknown {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    return isDeepStrictEqual(copy, value) ? copy : undefined;
  } catch {
    return undefined;
  }
}

function faultsOf(errors: readonly ErrorObject[]): string {
  const shown = errors.slice(0, FAULTS_SHOWN).map(({ instancePath, message, params }) => {
    const named: unknown = params['additionalProperty'] ?? params['allowedValues'] ?? params['propertyName'];
    return `${instancePath || 'it'} ${message ?? 'is not accepted'}${named === undefined ? '' : `: ${JSON.stringify(named)}`}`;
  });
  const more = errors.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

function idOf(manifest: unknown): { id?: string } {
  const id = typeof manifest === 'object' && manifest !== null && 'id' in manifest ? manifest.id : undefined;
  return typeof id === 'string' && id.length <= 100 ? { id } : {};
}

function invalid(reason: string): ManifestReading & { state: 'invalid' } {
  return { state: 'invalid', reason };
}
