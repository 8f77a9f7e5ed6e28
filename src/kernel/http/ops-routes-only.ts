import type { FastifyInstance } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';

/** What operators ask of every process, workers included. */
const OPS_ROUTES = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;

/** Leaves a process only what operators ask for: a worker runs jobs, and answers for nothing else. */
export function restrictToOpsRoutes(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async ({ url }) => {
    if (!OPS_ROUTES.test(url)) throw new HubError('not_found');
  });
}
