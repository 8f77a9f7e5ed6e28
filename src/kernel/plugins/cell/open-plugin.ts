import { compareManifest } from '#sdk/compare.js';
import type { PluginManifest } from '#sdk/manifest.js';
import { TookTooLong, within } from '#kernel/queue/within.js';
import { importFresh } from '../find/read-manifest.js';
import { inPlugin } from './attribution.js';
import { CellFailure, PluginCell } from './plugin-cell.js';

const OPENING_MS = 5_000;

/**
 * Imports the module of a plugin, opens its cell and compares it with the manifest. What fails leaves nothing open.
 * @throws CellFailure with a sentence that says what to mend
 */
export async function openPlugin(manifest: PluginManifest, entry: string, generation: number): Promise<PluginCell> {
  const opening = importAndOpen(manifest.id, entry, generation);
  const cell = await within(OPENING_MS, opening, 'its start').catch((error: unknown) => {
    if (error instanceof TookTooLong) void opening.then(late => late.close()).catch(() => undefined);
    throw error;
  });
  const problems = compareManifest(manifest, cell.handlers);
  if (problems.length === 0) return cell;
  await cell.close();
  throw new CellFailure(problems.join(' '));
}

async function importAndOpen(id: string, entry: string, generation: number): Promise<PluginCell> {
  const exported = await inPlugin(id, () => importFresh(entry, generation));
  return PluginCell.open(id, exported);
}
