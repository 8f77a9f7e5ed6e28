import { PermanentError } from '#sdk/errors.js';
import type { GraphPort } from '#sdk/graph-port.js';
import type { JobsPort, StorePort } from '#sdk/hub-context.js';

const rejectUse = (what: string) => () =>
  Promise.reject(new PermanentError(`hub.${what} cannot be used while a connection is tested: nothing is saved yet.`));

/** The graph before there is a connection. */
export const unavailableGraph: GraphPort = {
  record: rejectUse('graph'),
  note: rejectUse('graph'),
  find: rejectUse('graph'),
  listInteractions: rejectUse('graph'),
  canonicalProperty: rejectUse('graph'),
  people: { upsert: rejectUse('graph'), list: rejectUse('graph') },
};

/** The store before there is a connection. */
export const unavailableStore: StorePort = {
  get: rejectUse('store'),
  getMany: rejectUse('store'),
  put: rejectUse('store'),
  delete: rejectUse('store'),
  list: rejectUse('store'),
  write: rejectUse('store'),
};

/** Background work before there is a connection. */
export const unavailableJobs: JobsPort = { emit: rejectUse('jobs') };
