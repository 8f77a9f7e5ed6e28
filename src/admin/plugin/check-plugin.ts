import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import semver from 'semver';
import { type DiscoveredPackage, PLUGIN_KEYWORD, readPackage } from '#plugin-host/host/discover-plugins.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { type ConformanceCheck, conformance, type Fixtures, type PluginModule } from '#sdk/testing/index.js';
import { SDK_VERSION } from '#sdk/version.js';
import { CommandError } from '../admin-context.js';

/** The results of the conformance checks of a plugin. */
export interface PluginCheckReport {
  /** ID of the plugin. */
  readonly plugin: string;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly problem?: string }[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Runs the conformance checks on the built plugin in a folder.
 * @throws CommandError if it cannot be loaded
 */
export async function checkPlugin(folder: string): Promise<PluginCheckReport> {
  const dir = resolve(folder);
  const found = await readPackage(dir, basename(dir));
  if (!found) throw new CommandError(`There is no package.json in ${dir}.`);
  const { entryUrl, manifestUrl } = found;
  if (!entryUrl || !manifestUrl) throw new CommandError(found.problem ?? 'package.json names no module.');
  const manifest = await importDefault<PluginManifest>(manifestUrl, 'the manifest');
  const plugin = await importDefault<PluginModule>(entryUrl, 'the module');
  const fixtures = await loadFixtures(dir, found.fields);
  const checks = [...createPackageChecks(found, manifest), ...conformance(plugin, manifest, fixtures)];
  const results = [];
  for (const check of checks) results.push(await runCheck(check));
  return { plugin: manifest.id, checks: results };
}

async function runCheck({ name, run }: ConformanceCheck): Promise<PluginCheckReport['checks'][number]> {
  try {
    await run();
    return { name, ok: true };
  } catch (error) {
    return { name, ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Imports the default export of a built file. @throws CommandError that says how to fix the problem */
async function importDefault<Value>(url: string, label: string): Promise<Value> {
  const file = fileURLToPath(url);
  if (!existsSync(file)) throw new CommandError(`${label} (${file}) does not exist: run npm run build.`);
  const imported = await import(url).catch((error: unknown) => {
    throw new CommandError(`${label} cannot be imported: ${error instanceof Error ? error.message : String(error)}`);
  });
  const value = (imported as { default?: unknown }).default;
  if (value === undefined) throw new CommandError(`${label} (${file}) has no default export: export it as default.`);
  return value as Value;
}

/** Loads the export `./fixtures` of the package. Without it, the checks that need fixtures fail with a message. */
async function loadFixtures(dir: string, { exports }: Fields): Promise<Fixtures> {
  const path = typeof exports === 'object' && exports !== null ? (exports as Fields)['./fixtures'] : undefined;
  if (typeof path !== 'string') return {};
  return importDefault<Fixtures>(pathToFileURL(join(dir, path)).href, 'the fixtures');
}

function createPackageChecks(
  found: DiscoveredPackage & { fields: Fields },
  manifest: PluginManifest,
): ConformanceCheck[] {
  const { keywords, peerDependencies, dependencies } = found.fields;
  const peers = Object.keys((peerDependencies ?? {}) as Fields);
  const ownDependencies = Object.keys((dependencies ?? {}) as Fields);
  const shared = ['@rapport/plugin-sdk', '@nestjs/common'];
  const rules: [holds: boolean, fault: string][] = [
    [found.problem === undefined, found.problem ?? ''],
    [Array.isArray(keywords) && keywords.includes(PLUGIN_KEYWORD), `"keywords" must contain "${PLUGIN_KEYWORD}".`],
    ...shared.map((name): [boolean, string] => [
      peers.includes(name) && !ownDependencies.includes(name),
      `${name} must be in "peerDependencies" and not in "dependencies": the hub provides it.`,
    ]),
    [
      semver.satisfies(SDK_VERSION, manifest.sdk),
      `The manifest requires SDK ${manifest.sdk}, and this hub has ${SDK_VERSION}.`,
    ],
  ];
  const faults = rules.filter(([holds]) => !holds).map(([, fault]) => fault);
  const run = async (): Promise<void> => {
    if (faults.length > 0) throw new Error(faults.join('\n'));
  };
  return [{ name: 'package.json is that of a plugin', run }];
}
