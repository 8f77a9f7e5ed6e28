import { PermanentError } from '#sdk/errors.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { parseRunInput } from '#sdk/run-rules.js';
import type { RunInfo, RunsPort } from '#sdk/runs.js';
import type { PluginScope } from '../context/plugin-ports.js';
import { requireValid } from '../schema-validation.js';
import { type RunRecord, toProgress } from './run.js';
import type { RunStore } from './run.store.js';

/** Creates the port through which a plugin starts runs in one workspace. */
export function createRunsPort(store: RunStore, scope: PluginScope, manifest: PluginManifest): RunsPort {
  const { workspaceId, plugin } = scope;
  return {
    start: async (name, input = null, { key } = {}) => {
      if (!manifest.runs?.[name]) throw new PermanentError(`The manifest of "${manifest.id}" has no run "${name}".`);
      requireValid(`The input of the run "${name}"`, manifest.runs[name].input, input);
      return toRunInfo(await store.start(scope, { name, input: parseRunInput(name, input), key }));
    },
    get: async id => {
      const run = await store.find({ workspaceId, id }, plugin);
      return run && toRunInfo(run);
    },
    cancel: id => store.cancel({ workspaceId, id }, plugin),
  };
}

function toRunInfo(run: RunRecord): RunInfo {
  const { id, name, status, reported, result, error } = run;
  return { id, name, status, progress: toProgress(run), reported, result, error };
}
