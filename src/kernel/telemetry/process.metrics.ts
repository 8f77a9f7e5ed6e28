import { collectDefaultMetrics, Registry } from 'prom-client';

let shared: Registry | undefined;

/** Memory, CPU, event loop and garbage collection of this process: measured once, however many hubs live in it. */
export function getProcessMetrics(): Registry {
  if (!shared) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return shared;
}
