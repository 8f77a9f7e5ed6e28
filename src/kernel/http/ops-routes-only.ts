import type { FastifyInstance } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';

/** Paths that operators need in every process, including workers. */
const OPS_ROUTES = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;

/** Restricts a process to the paths of operators: a worker runs jobs and serves no API. */
export function restrictToOpsRoutes(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async ({ url }) => {
    if (!OPS_ROUTES.test(url)) throw new HubError('not_found');
  });
}
