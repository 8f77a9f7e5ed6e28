import { All, Controller, Logger, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#kernel/auth/caller.js';
import '#kernel/auth/current-caller.decorator.js';
import { Scopes } from '#kernel/auth/scopes.decorator.js';
import { HubError } from '#kernel/errors/errors.js';
import { LegacyLeg } from './legacy.leg.js';
import { RPC, rpcErrorBody } from './mcp.errors.js';
import { MCP_PATH } from './mcp.path.js';
import { ModernLeg } from './modern.leg.js';
import { choiceOf } from './tool.choice.js';
import type { CallOrigin } from './tool.context.js';

/** Batches multiply one hit of the rate limit, so they stay short. */
const MAX_BATCH = 20;

/** The door of MCP: one path for both protocol eras. Any valid key enters; tools ask for scopes. */
@ApiExcludeController()
@Scopes()
@Controller()
export class McpController {
  private readonly logger = new Logger('mcp');

  constructor(
    private readonly legacy: LegacyLeg,
    private readonly modern: ModernLeg,
  ) {}

  /** Everything but POST is 405: there are no sessions, and who wants to hear of changes POSTs subscriptions/listen. */
  @All(MCP_PATH)
  async serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { caller, body } = request;
    if (!caller) throw HubError.unauthorized();
    if (request.method !== 'POST') {
      const refusal = rpcErrorBody(RPC.SERVER, 'Method not allowed: use POST');
      return void reply.status(405).header('allow', 'POST').send(refusal);
    }
    if (body === undefined) throw new HubError('invalid_json', { detail: 'The body is empty.' });
    if (Array.isArray(body) && body.length > MAX_BATCH) {
      const message = `Invalid Request: a batch may hold at most ${MAX_BATCH} messages`;
      return void reply.status(400).send(rpcErrorBody(RPC.INVALID_REQUEST, message));
    }
    const leg = isLegacy(request) ? this.legacy : this.modern;
    takeOver(reply);
    await leg
      .serve(request.raw, reply.raw, body, originOf(request, caller))
      .catch((error: unknown) => this.giveUp(request, reply, error));
  }

  /** After the takeover no filter acts any more, so a fault of ours is answered here. */
  private giveUp(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    this.logger.error({ msg: 'an MCP request failed', request_id: request.id, err: error });
    if (reply.raw.headersSent) return void reply.raw.destroy();
    const body = rpcErrorBody(RPC.INTERNAL, 'Internal error', null, { request_id: request.id });
    reply.raw.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}

/**
 * The SDK's own test of the era. What it would refuse goes to the modern leg, which owns those answers. So does a call
 * that names a revision, whichever: the leg makes the same test again.
 */
function isLegacy({ method, headers, body }: FastifyRequest): boolean {
  if (isModernCall(body)) return false;
  const protocolVersionHeader = headers['mcp-protocol-version']?.toString();
  const classified = classifyInboundRequest({
    httpMethod: method,
    body,
    ...(protocolVersionHeader && { protocolVersionHeader }),
  });
  return classified.kind === 'legacy';
}

function isModernCall(body: unknown): boolean {
  const { method: called, params } = (body ?? {}) as { method?: unknown; params?: { _meta?: Record<string, unknown> } };
  return called === 'tools/call' && params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}

/** From here an SDK writes to the socket. It does not know the headers that hooks have set (CORS, limits). */
function takeOver(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.hijack();
}

/** One header cannot name several calls, so a batch has no key but those of its messages. */
function originOf({ id, url, headers, body }: FastifyRequest, caller: Caller): CallOrigin {
  const idempotencyKey = Array.isArray(body) ? undefined : headers['idempotency-key']?.toString();
  return { caller, requestId: id, idempotencyKey, choice: choiceOf(url, headers) };
}
