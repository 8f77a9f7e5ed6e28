import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  Server,
  type CallToolResult,
  type CreateMcpHandlerOptions,
  type McpHttpHandler,
  type McpRequestContext,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { presentedKey } from '#kernel/auth/presented-key.js';
import { linkCall } from './call.link.js';
import { INSTRUCTIONS } from './instructions.js';
import { Listeners } from './listeners.js';
import { refuseCursor, unknownTool } from './rpc.refusals.js';
import { MODERN_CAPABILITIES, SERVER_INFO } from './server.info.js';
import type { CallOrigin } from './tool.context.js';
import { ToolRegistry } from './tool.registry.js';

/** How long a client may keep a list of tools; a change of plan is seen within this time. */
const LIST_TTL_MS = 60_000;

/** One for all requests, as building it costs more than a call. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Protocol revision 2026-07-28, which has neither handshake nor session. */
@Injectable()
export class ModernLeg {
  private readonly logger = new Logger('mcp');
  private readonly answer = toNodeHandler(this.handler());

  constructor(
    private readonly registry: ToolRegistry,
    private readonly listeners: Listeners,
  ) {}

  /** Answers a POST. Fastify has read the stream, so the parsed body comes along. */
  async serve(request: IncomingMessage, response: ServerResponse, body: unknown, origin: CallOrigin): Promise<void> {
    const { keyId, scopes } = origin.caller;
    const auth = { token: '', clientId: keyId, scopes: [...scopes], extra: { origin } };
    const known = Object.assign(request, { auth });
    await (wantsToListen(body) ? this.listen(known, response, body, origin) : this.answer(known, response, body));
  }

  /** A handler for this stream alone, since what is news depends on who listens. */
  private async listen(
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
    { caller }: CallOrigin,
  ): Promise<void> {
    const isFull = this.listeners.isFull(caller);
    let end = (): void => undefined;
    const { bus, leave } = this.listeners.add(caller, presentedKey(request.rawHeaders), () => end());
    response.on('close', leave);
    const handler = this.handler({ bus, ...(isFull && { maxSubscriptions: 0 }) });
    end = () => void handler.close();
    await toNodeHandler(handler)(request, response, body);
  }

  private handler(more: CreateMcpHandlerOptions = {}): McpHttpHandler {
    return createMcpHandler(context => this.serverFor(originOf(context)), {
      legacy: 'reject',
      onerror: error => this.logger.debug({ msg: 'an MCP request was refused', err: error }),
      ...more,
    });
  }

  private serverFor(origin: CallOrigin): Server {
    const server = new Server(SERVER_INFO, {
      capabilities: MODERN_CAPABILITIES,
      instructions: INSTRUCTIONS,
      jsonSchemaValidator,
    });
    server.setRequestHandler('tools/list', ({ params }) => {
      refuseCursor(params?.cursor);
      return {
        tools: [...this.registry.list(origin.caller)] as never,
        ttlMs: LIST_TTL_MS,
        cacheScope: 'private',
      };
    });
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const call = linkCall(origin, {
        meta: mcpReq._meta,
        signal: mcpReq.signal,
        notify: (method, notice) => mcpReq.notify({ method, params: notice }),
        log: (level, message) => mcpReq.log(level, message, params.name),
      });
      const result = await this.registry.call(params.name, params.arguments, call);
      return (result ?? unknownTool(params.name)) as CallToolResult;
    });
    return server;
  }
}

function originOf({ authInfo }: McpRequestContext): CallOrigin {
  return authInfo?.extra?.['origin'] as CallOrigin;
}

function wantsToListen(body: unknown): boolean {
  return (body as { method?: unknown } | null)?.method === 'subscriptions/listen';
}
