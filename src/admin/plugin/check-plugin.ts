import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import semver from 'semver';
import { type FoundPackage, PLUGIN_KEYWORD, readPackage } from '#kernel/plugins/find/package-file.js';
import type { PluginManifest } from '#sdk/manifest.js';
import { type Check, conformance, type Fixtures, type PluginModule } from '#sdk/testing/index.js';
import { SDK_VERSION } from '#sdk/version.js';
import { CommandFailed } from '../admin-command.js';

/** What was found of a plugin. */
export interface CheckedPlugin {
  /** Its id. */
  readonly plugin: string;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly problem?: string }[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Runs the conformance checks on the plugin in a folder, as it is built.
 * @throws CommandFailed when it cannot be loaded at all
 */
export async function checkPlugin(folder: string): Promise<CheckedPlugin> {
  const dir = resolve(folder);
  const found = await readPackage(dir, basename(dir));
  if (!found) throw new CommandFailed(`There is no package.json in ${dir}.`);
  const { entry, manifest: manifestUrl } = found;
  if (!entry || !manifestUrl) throw new CommandFailed(found.problem ?? 'package.json names no module.');
  const manifest = await load<PluginManifest>(manifestUrl, 'the manifest');
  const plugin = await load<PluginModule>(entry, 'the module');
  const fixtures = await fixturesOf(dir, found.fields);
  const checks = [...packageChecks(found, manifest), ...conformance(plugin, manifest, fixtures)];
  const results = [];
  for (const check of checks) results.push(await resultOf(check));
  return { plugin: manifest.id, checks: results };
}

async function resultOf({ name, run }: Check): Promise<CheckedPlugin['checks'][number]> {
  try {
    await run();
    return { name, ok: true };
  } catch (error) {
    return { name, ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** @throws CommandFailed with what to do: mostly, to build */
async function load<Value>(address: string, what: string): Promise<Value> {
  const file = fileURLToPath(address);
  if (!existsSync(file)) throw new CommandFailed(`${what} is to be ${file}, which is not there: run npm run build.`);
  const imported = await import(address).catch((error: unknown) => {
    throw new CommandFailed(`${what} cannot be imported: ${error instanceof Error ? error.message : String(error)}`);
  });
  const value = (imported as { default?: unknown }).default;
  if (value === undefined) throw new CommandFailed(`${what} (${file}) has no default export: export it as default.`);
  return value as Value;
}

/** The entry `./fixtures` of the package; none means no examples, and the checks that need one say so. */
async function fixturesOf(dir: string, { exports }: Fields): Promise<Fixtures> {
  const path = typeof exports === 'object' && exports !== null ? (exports as Fields)['./fixtures'] : undefined;
  if (typeof path !== 'string') return {};
  return load<Fixtures>(pathToFileURL(join(dir, path)).href, 'the fixtures');
}

function packageChecks(found: FoundPackage & { fields: Fields }, manifest: PluginManifest): Check[] {
  const { keywords, peerDependencies, dependencies } = found.fields;
  const peers = Object.keys((peerDependencies ?? {}) as Fields);
  const own = Object.keys((dependencies ?? {}) as Fields);
  const shared = ['@rapport/plugin-sdk', '@nestjs/common'];
  const rules: [holds: boolean, fault: string][] = [
    [found.problem === undefined, found.problem ?? ''],
    [Array.isArray(keywords) && keywords.includes(PLUGIN_KEYWORD), `"keywords" must hold "${PLUGIN_KEYWORD}".`],
    ...shared.map((name): [boolean, string] => [
      peers.includes(name) && !own.includes(name),
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
