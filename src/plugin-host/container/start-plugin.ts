import { compareManifest } from '#sdk/compare-manifest.js';
import type { PluginManifest } from '#sdk/manifest.js';
import { TimeoutError, withTimeout } from '#kernel/scheduling/timeout.js';
import { importUncached } from '../host/discovery/read-manifest.js';
import { runAsPlugin } from './current-plugin.js';
import { PluginStartError, PluginContainer } from './plugin-container.js';

const START_TIMEOUT_MS = 5_000;

/**
 * Imports the module of a plugin, starts its container and compares its handlers with the manifest. Closes the
 * container on failure. Importing and starting may take 5 s.
 * @param generation above 0 imports the module again, see {@link importUncached}
 * @throws PluginStartError with a sentence that says what to fix; TimeoutError
 */
export async function startPlugin(
  manifest: PluginManifest,
  entry: string,
  generation: number,
): Promise<PluginContainer> {
  const starting = importAndStart(manifest.id, entry, generation);
  const container = await withTimeout(START_TIMEOUT_MS, starting, 'its start').catch((error: unknown) => {
    if (error instanceof TimeoutError) void starting.then(late => late.close()).catch(() => undefined);
    throw error;
  });
  const problems = compareManifest(manifest, container.handlers);
  if (problems.length === 0) return container;
  await container.close();
  throw new PluginStartError(problems.join(' '));
}

async function importAndStart(id: string, entry: string, generation: number): Promise<PluginContainer> {
  const exported = await runAsPlugin(id, () => importUncached(entry, generation));
  return PluginContainer.start(id, exported);
}
