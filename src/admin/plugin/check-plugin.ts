import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import semver from 'semver';
import { type DiscoveredPackage, PLUGIN_KEYWORD, readPackage } from '#plugin-host/host/discovery/read-package.js';
import type { PluginManifest } from '#sdk/manifest.js';
import { type ConformanceCheck, conformance, type Fixtures, type PluginModule } from '#sdk/testing/index.js';
import { SDK_VERSION } from '#sdk/version.js';
import { CommandError } from '../admin-context.js';

/** What was found of a plugin. */
export interface PluginCheckReport {
  /** Its id. */
  readonly plugin: string;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly problem?: string }[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Runs the conformance checks on the plugin in a folder, as it is built.
 * @throws CommandFailed when it cannot be loaded at all
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

/** @throws CommandFailed with what to do: mostly, to build */
async function importDefault<Value>(address: string, what: string): Promise<Value> {
  const file = fileURLToPath(address);
  if (!existsSync(file)) throw new CommandError(`${what} is to be ${file}, which is not there: run npm run build.`);
  const imported = await import(address).catch((error: unknown) => {
    throw new CommandError(`${what} cannot be imported: ${error instanceof Error ? error.message : String(error)}`);
  });
  const value = (imported as { default?: unknown }).default;
  if (value === undefined) throw new CommandError(`${what} (${file}) has no default export: export it as default.`);
  return value as Value;
}

/** The entry `./fixtures` of the package; none means no examples, and the checks that need one say so. */
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
    [Array.isArray(keywords) && keywords.includes(PLUGIN_KEYWORD), `"keywords" must hold "${PLUGIN_KEYWORD}".`],
    ...shared.map((name): [boolean, string] => [
      peers.includes(name) && !ownDependencies.includes(name),
      `${name} must stand in "peerDependencies" and not in "dependencies": the hub brings it.`,
    ]),
    [
      semver.satisfies(SDK_VERSION, manifest.sdk),
      `The manifest asks for SDK ${manifest.sdk}, and this hub has ${SDK_VERSION}.`,
    ],
  ];
  const faults = rules.filter(([holds]) => !holds).map(([, fault]) => fault);
  const run = async (): Promise<void> => {
    if (faults.length > 0) throw new Error(faults.join('\n'));
  };
  return [{ name: 'package.json is that of a plugin', run }];
}
