import { All, Controller, Logger, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#kernel/auth/caller.js';
import '#kernel/auth/current-caller.decorator.js';
import { Scopes } from '#kernel/auth/scopes.decorator.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { Mcp2025Handler } from './mcp-2025.handler.js';
import { RPC, buildRpcError } from './rpc-errors.js';
import { MCP_PATH } from './mcp-path.js';
import { Mcp2026Handler } from './mcp-2026.handler.js';
import { parseToolFilter } from './tool-filter.js';
import type { CallOrigin } from './tool-context.js';

/** Batches multiply one hit of the rate limit, so they stay short. */
const MAX_BATCH = 20;

/** The door of MCP: one path for both protocol eras. Any valid key enters; tools ask for scopes. */
@ApiExcludeController()
@Scopes()
@Controller()
export class McpController {
  private readonly logger = new Logger('mcp');

  constructor(
    private readonly mcp2025: Mcp2025Handler,
    private readonly mcp2026: Mcp2026Handler,
  ) {}

  /** Everything but POST is 405: there are no sessions, and who wants to hear of changes POSTs subscriptions/listen. */
  @All(MCP_PATH)
  async serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { caller, body } = request;
    if (!caller) throw HubError.unauthorized();
    if (request.method !== 'POST') {
      const refusal = buildRpcError(RPC.SERVER, 'Method not allowed: use POST');
      return void reply.status(405).header('allow', 'POST').send(refusal);
    }
    if (body === undefined) throw new HubError('invalid_json', { detail: 'The body is empty.' });
    if (Array.isArray(body) && body.length > MAX_BATCH) {
      const message = `Invalid Request: a batch may hold at most ${MAX_BATCH} messages`;
      return void reply.status(400).send(buildRpcError(RPC.INVALID_REQUEST, message));
    }
    const handler = is2025Request(request) ? this.mcp2025 : this.mcp2026;
    hijackReply(reply);
    await handler
      .serve(request.raw, reply.raw, body, toCallOrigin(request, caller))
      .catch((error: unknown) => this.respondWithFailure(request, reply, error));
  }

  /** After the takeover no filter acts any more, so a fault of ours is answered here. */
  private respondWithFailure(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    this.logger.error({ msg: 'an MCP request failed', request_id: request.id, err: error });
    if (reply.raw.headersSent) return void reply.raw.destroy();
    const body = buildRpcError(RPC.INTERNAL, 'Internal error', null, { request_id: request.id });
    reply.raw.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}

/**
 * The SDK's own test of the era. What it would refuse goes to the modern leg, which owns those answers. So does a call
 * that names a revision, whichever: the leg makes the same test again.
 */
function is2025Request({ method, headers, body }: FastifyRequest): boolean {
  if (is2026Call(body)) return false;
  const protocolVersionHeader = headers['mcp-protocol-version']?.toString();
  const classified = classifyInboundRequest({
    httpMethod: method,
    body,
    ...(protocolVersionHeader && { protocolVersionHeader }),
  });
  return classified.kind === 'legacy';
}

function is2026Call(body: unknown): boolean {
  const { method: called, params } = (body ?? {}) as { method?: unknown; params?: { _meta?: Record<string, unknown> } };
  return called === 'tools/call' && params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}

/** From here an SDK writes to the socket. It does not know the headers that hooks have set (CORS, limits). */
function hijackReply(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.hijack();
}

/** One header cannot name several calls, so a batch has no key but those of its messages. */
function toCallOrigin({ id, url, headers, body }: FastifyRequest, caller: Caller): CallOrigin {
  const idempotencyKey = Array.isArray(body) ? undefined : headers['idempotency-key']?.toString();
  return { caller, requestId: id, idempotencyKey, toolFilter: parseToolFilter(url, headers) };
}
