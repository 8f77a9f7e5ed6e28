import type { GraphPort } from '#sdk/ports/graph-port.js';
import { PermanentError } from '#sdk/errors.js';
import type { FilesPort, FileInfo } from '#sdk/files.js';
import type { RunsPort, RunInfo } from '#sdk/runs.js';
import type { JobsPort, StorePort } from '#sdk/hub-context.js';
import { checkOffset, createMissingFileError, parseFileInput, toByteStream } from '#sdk/file-rules.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { FileOwner, FileRecord, FileStore } from '#kernel/files/file-store.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { parseReportColumns, parseRunInput } from '#sdk/run-rules.js';
import { requireValid } from '../schema-validation.js';
import { type RunRecord, toProgress } from '../runs/run.js';
import type { RunStore } from '../runs/run.store.js';

/** The workspace and connection that a plugin works for. */
export interface PluginScope {
  readonly workspaceId: string;
  /** ID of the plugin. */
  readonly plugin: string;
  /** Null for a plugin without a connection. */
  readonly connectionId: string | null;
}

/** Creates the graph ports of plugins. The graph implements it; the composition root binds it. */
export abstract class GraphPortFactory {
  /** Returns the graph of one workspace; writes are attributed to the plugin. */
  abstract create(scope: PluginScope): GraphPort;
}

const rejectUse = (port: string) => () =>
  Promise.reject(new PermanentError(`hub.${port} cannot be used while a connection is tested: nothing is saved yet.`));

/** Rejects every use of the graph, while there is no connection. */
export const unavailableGraph: GraphPort = {
  record: rejectUse('graph'),
  recordMany: rejectUse('graph'),
  findMany: rejectUse('graph'),
  readMany: rejectUse('graph'),
  link: rejectUse('graph'),
  note: rejectUse('graph'),
  find: rejectUse('graph'),
  listInteractions: rejectUse('graph'),
  changes: rejectUse('graph'),
  retract: rejectUse('graph'),
  canonicalProperty: rejectUse('graph'),
  valuesAgree: rejectUse('graph'),
  people: { upsert: rejectUse('graph'), list: rejectUse('graph') },
  companies: { upsert: rejectUse('graph') },
  leads: { add: rejectUse('graph') },
};

/** Rejects every use of the store, while there is no connection. */
export const unavailableStore: StorePort = {
  get: rejectUse('store'),
  getMany: rejectUse('store'),
  put: rejectUse('store'),
  delete: rejectUse('store'),
  list: rejectUse('store'),
  write: rejectUse('store'),
};

/** Rejects every use of files, while there is no connection. */
export const unavailableFiles: FilesPort = {
  info: rejectUse('files'),
  open: rejectUse('files'),
  write: rejectUse('files'),
  delete: rejectUse('files'),
};

/** Rejects every run, while there is no connection. */
export const unavailableRuns: RunsPort = {
  start: rejectUse('runs'),
  get: rejectUse('runs'),
  cancel: rejectUse('runs'),
};

/** Rejects every job, while there is no connection. */
export const unavailableJobs: JobsPort = { emit: rejectUse('jobs') };

/** Creates the port through which a plugin stores files of one workspace. */
export function createFilesPort(store: FileStore, { workspaceId, plugin }: FileOwner): FilesPort {
  const owner = { workspaceId, plugin };
  return {
    info: async id => {
      const record = await store.find(owner, id);
      return record && toFileInfo(record);
    },
    open: async (id, from = 0) => {
      const stream = await store.open(owner, id, checkOffset(from));
      if (!stream) throw createMissingFileError(id);
      return stream;
    },
    write: async (input, content) => {
      const { contentType: mediaType, ...file } = parseFileInput(input);
      const record = await store.write(owner, { ...file, mediaType }, toByteStream(content)).catch(throwPermanently);
      return toFileInfo(record);
    },
    delete: id => store.delete(owner, id),
  };
}

/** Converts what a retry cannot fix, such as a used-up quota. The cause is the response if a route was called. */
function throwPermanently(error: unknown): never {
  if (!(error instanceof HubError) || error.status >= 500) throw error;
  throw new PermanentError(error.detail ?? error.code, { cause: error });
}

function toFileInfo({ id, name, mediaType, bytes, sha256, createdAt, expiresAt }: FileRecord): FileInfo {
  const [created, expires] = [new Date(createdAt / 1_000), new Date(expiresAt / 1_000)];
  return { id, name, contentType: mediaType, bytes, sha256, createdAt: created, expiresAt: expires };
}

/** Creates the port through which a plugin starts runs in one workspace. */
export function createRunsPort(store: RunStore, scope: PluginScope, manifest: PluginManifest): RunsPort {
  const { workspaceId, plugin } = scope;
  return {
    start: async (name, input = null, { key, columns = [] } = {}) => {
      if (!manifest.runs?.[name]) throw new PermanentError(`The manifest of "${manifest.id}" has no run "${name}".`);
      requireValid(`The input of the run "${name}"`, manifest.runs[name].input, input);
      return toRunInfo(
        await store.start(scope, {
          name,
          input: parseRunInput(name, input),
          key,
          columns: parseReportColumns(columns),
        }),
      );
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
