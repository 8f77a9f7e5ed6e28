import { PermanentError } from '#sdk/errors.js';
import type { GraphPort } from '#sdk/graph-port.js';
import type { JobsPort, StorePort } from '#sdk/hub-context.js';

const refuse = (what: string) => () =>
  Promise.reject(new PermanentError(`hub.${what} cannot be used while a connection is tested: nothing is saved yet.`));

/** The graph before there is a connection. */
export const noGraph: GraphPort = {
  record: refuse('graph'),
  note: refuse('graph'),
  find: refuse('graph'),
  interactions: refuse('graph'),
  propertyOf: refuse('graph'),
  people: { upsert: refuse('graph'), list: refuse('graph') },
};

/** The store before there is a connection. */
export const noStore: StorePort = {
  get: refuse('store'),
  getMany: refuse('store'),
  put: refuse('store'),
  delete: refuse('store'),
  list: refuse('store'),
  write: refuse('store'),
};

/** Background work before there is a connection. */
export const noJobs: JobsPort = { emit: refuse('jobs') };
