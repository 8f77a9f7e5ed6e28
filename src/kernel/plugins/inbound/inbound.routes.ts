import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerTo } from '#kernel/errors/error-answer.js';
import type { InboundDoor } from './inbound.door.js';
import type { Delivery } from './inbound-manifest.js';

/** The path of webhooks; the connection is named by its token. */
export const INBOUND_PATH = '/hooks/:connection/:name';

/** Bytes that a delivery may have: 2 MiB. */
export const INBOUND_BYTES = 2 * 1024 * 1024;

const MEDIA_TYPE = /^\s*[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/;

type InboundRequest = FastifyRequest<{ Params: { connection: string; name: string } }>;

/**
 * Opens the door for webhooks on a server: bodies of every type come through as bytes, because signatures are made
 * over bytes, and no key is asked for.
 */
export function openInboundDoor(fastify: FastifyInstance, door: InboundDoor): void {
  void fastify.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    // One that is written wrong would be refused before the signature is looked at.
    scope.addHook('onRequest', async ({ headers }) => {
      if (!MEDIA_TYPE.test(headers['content-type'] ?? 'a/b')) headers['content-type'] = 'application/octet-stream';
    });
    scope.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    scope.route({
      method: ['GET', 'POST'],
      url: INBOUND_PATH,
      bodyLimit: INBOUND_BYTES,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const { params, ip } = request as InboundRequest;
        const answer = await door.receive(params.connection, params.name, deliveryOf(request), ip);
        if ('echo' in answer) return reply.type('text/plain; charset=utf-8').send(answer.echo);
        return answer;
      },
    });
  });
}

function deliveryOf({ method, query, headers, body }: FastifyRequest): Delivery {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    query: query as Record<string, unknown>,
    headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    raw: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  };
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = answerTo(error, { path: INBOUND_PATH, requestId: request.id }, []);
  if (answer.status >= 500) request.log.warn({ err: error, request_id: request.id }, 'a delivery could not be taken');
  return reply.status(answer.status).headers(answer.headers).send(answer.body);
}
