import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toErrorResponse } from '#kernel/errors/error-response.js';
import { readClientAddress } from '#kernel/limits/client-address.js';
import type { InboundWebhookService } from './inbound-webhook.service.js';
import type { WebhookRequest } from './webhook-request.js';

/** Path of webhooks. `:connection` is the webhook token of a connection. */
export const INBOUND_PATH = '/hooks/:connection/:name';

/** Maximum size of a delivery: 2 MiB. */
export const MAX_INBOUND_BYTES = 2 * 1024 * 1024;

const MEDIA_TYPE = /^\s*[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/;

type InboundRequest = FastifyRequest<{ Params: { connection: string; name: string } }>;

/**
 * Registers the webhook route. Bodies of every type are passed on as bytes, because signatures are computed over bytes.
 * Requests need no API key.
 */
export function registerInboundRoutes(fastify: FastifyInstance, webhooks: InboundWebhookService): void {
  void fastify.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    // Fastify rejects a malformed Content-Type before the signature can be verified.
    scope.addHook('onRequest', async ({ headers }) => {
      if (!MEDIA_TYPE.test(headers['content-type'] ?? 'a/b')) headers['content-type'] = 'application/octet-stream';
    });
    scope.setErrorHandler((error, request, reply) => sendError(error, request, reply));
    scope.route({
      method: ['GET', 'POST'],
      url: INBOUND_PATH,
      bodyLimit: MAX_INBOUND_BYTES,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const { params } = request as InboundRequest;
        const address = readClientAddress(request);
        const receipt = await webhooks.receive(params.connection, params.name, toWebhookRequest(request), address);
        if ('echo' in receipt) return reply.type('text/plain; charset=utf-8').send(receipt.echo);
        return receipt;
      },
    });
  });
}

function toWebhookRequest({ method, query, headers, body }: FastifyRequest): WebhookRequest {
  const present = Object.entries(headers).filter(([, value]) => value !== undefined);
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    query: query as Record<string, unknown>,
    headers: Object.fromEntries(present.map(([name, value]) => [name, String(value)])),
    rawBody: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  };
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const response = toErrorResponse(error, { path: INBOUND_PATH, requestId: request.id }, []);
  if (response.status >= 500)
    request.log.warn({ err: error, request_id: request.id }, 'a webhook could not be received');
  return reply.status(response.status).headers(response.headers).send(response.body);
}
