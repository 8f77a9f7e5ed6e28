import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';
import { toNetwork, readClientAddress } from '#kernel/limits/client-address.js';
import type { HeldResponses } from '#kernel/limits/public-rate-limiter.js';
import { toErrorResponse } from '#kernel/errors/error-response.js';
import type { InboundWebhookService } from './inbound-webhook.service.js';
import type { WebhookRequest } from './webhook-request.js';

/** Valid deliveries of one connection in ten seconds: far above the volume of any provider. */
const VALID_LIMIT = { points: 2_000, duration: 10 };
/** Deliveries with a wrong signature or to an unknown address, from one network in a minute. */
const REJECTED_LIMIT = { points: 100, duration: 60 };

/** Limits deliveries in this process: valid ones by connection, rejected ones by network. */
export class InboundRateLimiter {
  private readonly valid = new RateLimiterMemory({ keyPrefix: 'valid', ...VALID_LIMIT });
  private readonly rejected = new RateLimiterMemory({ keyPrefix: 'rejected', ...REJECTED_LIMIT });

  constructor(private readonly responses: HeldResponses) {}

  /**
   * Refuses a network that sent too many rejected deliveries.
   * @param isGenuine returns whether the delivery is certainly valid; called only for such a network
   * @throws HubError `rate_limited`
   */
  async admit(clientAddress: string, isGenuine: () => boolean): Promise<void> {
    const network = toNetwork(clientAddress);
    const usage = await this.rejected.get(network);
    if (usage && usage.consumedPoints >= REJECTED_LIMIT.points && !isGenuine()) await this.refuse(network, usage);
  }

  /** Counts a delivery with a valid signature. @throws HubError `rate_limited` above the limit */
  async countValid(connectionId: string): Promise<void> {
    await this.valid.consume(connectionId).catch(throwRateLimited);
  }

  /** Counts a rejected delivery. @throws HubError `rate_limited` above the limit */
  async countRejected(clientAddress: string): Promise<void> {
    const network = toNetwork(clientAddress);
    await this.rejected.consume(network).catch(usage => this.refuse(network, usage));
  }

  private async refuse(network: string, usage: unknown): Promise<never> {
    await this.responses.hold(network);
    return throwRateLimited(usage);
  }
}

function throwRateLimited(result: unknown): never {
  if (!(result instanceof RateLimiterRes)) throw result;
  throw new HubError('rate_limited', {
    detail: 'Too many deliveries to this address; send them again later.',
    retryAfterSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  });
}

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
