import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { HUB_PACKAGE } from '#kernel/version.js';

let shared: Registry | undefined;

/**
 * Returns the metrics of this process, shared by all hubs in it: memory, CPU, event loop and garbage collection, and
 * `rapport_build_info`, which is always 1 and has the versions as labels.
 */
export function getProcessMetrics(): Registry {
  if (!shared) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
    new Gauge({
      name: 'rapport_build_info',
      help: 'Versions of the hub and of Node.js, as labels; the value is always 1.',
      labelNames: ['version', 'node_version'],
      registers: [shared],
    }).set({ version: HUB_PACKAGE.version, node_version: process.versions.node }, 1);
  }
  return shared;
}
