import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import semver from 'semver';
import { checkManifest } from '#sdk/check-manifest.js';
import type { PluginManifest } from '#sdk/manifest.js';
import { manifestSchema } from '#sdk/manifest.schema.js';
import { SDK_VERSION } from '#sdk/version.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import type { DiscoveredPackage } from './read-package.js';

/** A valid manifest, or the reason why it cannot be loaded. */
export type ManifestResult =
  | { readonly state: 'valid'; readonly manifest: PluginManifest }
  | { readonly state: 'invalid' | 'incompatible'; readonly reason: string; readonly id?: string };

const IMPORT_TIMEOUT_MS = 5_000;
const MAX_ERRORS_SHOWN = 5;

/** Plugins that are bundled with the hub. Their tool names are part of the hub's API, so they need no prefix. */
const BUNDLED_PLUGINS = new Set(['calcom', 'crm', 'csv-import', 'triggers']);

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
      importUncached(found.manifestUrl, generation),
      'importing the manifest',
    );
    return validateManifest(imported['default'] ?? imported['manifest']);
  } catch (error) {
    return invalidManifest(`The manifest cannot be imported: ${errorMessage(error)}`);
  }
}

/** Imports a module. A new generation above 0 bypasses the module cache; its own imports stay cached. */
export function importUncached(url: string, generation: number): Promise<Record<string, unknown>> {
  return import(generation === 0 ? url : `${url}?generation=${generation}`) as Promise<Record<string, unknown>>;
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
