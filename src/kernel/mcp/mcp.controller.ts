import { All, Controller, Logger, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#kernel/auth/caller.js';
import { Scopes } from '../auth/caller.guard.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { Mcp2025Handler } from './mcp-2025.handler.js';
import { RPC, buildRpcError, MCP_PATH } from './mcp-responses.js';
import { Mcp2026Handler } from './mcp-2026.handler.js';
import { parseToolFilter } from './tool-visibility.js';
import type { CallOrigin } from './call-context.js';

/** Maximum number of messages in a batch, which counts as one request for the rate limit. */
const MAX_BATCH = 20;

/** Serves MCP on one path for both protocol generations. Accepts any valid key; tools check scopes. */
@ApiExcludeController()
@Scopes()
@Controller()
export class McpController {
  private readonly logger = new Logger('mcp');

  constructor(
    private readonly mcp2025: Mcp2025Handler,
    private readonly mcp2026: Mcp2026Handler,
  ) {}

  /**
   * Rejects all methods but POST with 405: there are no sessions, and clients subscribe with the method
   * subscriptions/listen.
   */
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

  /** Responds to an internal failure itself, because exception filters do not run after the reply is hijacked. */
  private respondWithFailure(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    this.logger.error({ msg: 'an MCP request failed', request_id: request.id, err: error });
    if (reply.raw.headersSent) return void reply.raw.destroy();
    const body = buildRpcError(RPC.INTERNAL, 'Internal error', null, { request_id: request.id });
    reply.raw.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}

/**
 * Classifies a request with the SDK's own function. Invalid requests go to the 2026 handler, which responds with the
 * right errors. So does a call that names a revision, because that handler classifies it again.
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

/**
 * Hands the socket over to an SDK, and copies the headers that hooks have set (CORS, limits), which the SDK does not
 * know.
 */
function hijackReply(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.hijack();
}

/**
 * Builds the origin of a call. The header cannot apply to several calls, so a batch uses only the keys of its
 * messages.
 */
function toCallOrigin({ id, url, headers, body }: FastifyRequest, caller: Caller): CallOrigin {
  const idempotencyKey = Array.isArray(body) ? undefined : headers['idempotency-key']?.toString();
  return { caller, requestId: id, idempotencyKey, toolFilter: parseToolFilter(url, headers) };
}
