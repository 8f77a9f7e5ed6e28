import type { GraphPort } from '#sdk/ports/graph-port.js';
import { PermanentError } from '#sdk/errors.js';
import type { FilesPort } from '#sdk/files.js';
import type { RunsPort } from '#sdk/runs.js';
import type { JobsPort, StorePort } from '#sdk/hub-context.js';

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
  link: rejectUse('graph'),
  note: rejectUse('graph'),
  find: rejectUse('graph'),
  listInteractions: rejectUse('graph'),
  changes: rejectUse('graph'),
  canonicalProperty: rejectUse('graph'),
  people: { upsert: rejectUse('graph'), list: rejectUse('graph') },
  companies: { upsert: rejectUse('graph') },
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
