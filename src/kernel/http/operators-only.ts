import type { FastifyInstance } from 'fastify';
import { HubError } from '#kernel/errors/errors.js';

/** What operators ask of every process, workers included. */
const OPERATORS = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;

/** Leaves a process only what operators ask for: a worker runs jobs, and answers for nothing else. */
export function serveOperatorsOnly(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async ({ url }) => {
    if (!OPERATORS.test(url)) throw new HubError('not_found');
  });
}
