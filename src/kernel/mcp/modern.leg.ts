import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server, type CallToolResult, type McpRequestContext } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { linkCall } from './call.link.js';
import { INSTRUCTIONS } from './instructions.js';
import { RPC, rpcErrorBody } from './mcp.errors.js';
import { refuseCursor, unknownTool } from './rpc.refusals.js';
import { CAPABILITIES, SERVER_INFO } from './server.info.js';
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
  private readonly answer = toNodeHandler(
    createMcpHandler(context => this.serverFor(originOf(context)), {
      legacy: 'reject',
      onerror: error => this.logger.debug({ msg: 'an MCP request was refused', err: error }),
    }),
  );

  constructor(private readonly registry: ToolRegistry) {}

  /** Answers a POST. Fastify has read the stream, so the parsed body comes along. */
  async serve(request: IncomingMessage, response: ServerResponse, body: unknown, origin: CallOrigin): Promise<void> {
    if (wantsToListen(body)) return refuseToListen(response, body);
    const { keyId, scopes } = origin.caller;
    const auth = { token: '', clientId: keyId, scopes: [...scopes], extra: { origin } };
    await this.answer(Object.assign(request, { auth }), response, body);
  }

  private serverFor(origin: CallOrigin): Server {
    const server = new Server(SERVER_INFO, {
      capabilities: CAPABILITIES,
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

interface ListenRequest {
  readonly method: 'subscriptions/listen';
  readonly id?: string | number;
}

function wantsToListen(body: unknown): body is ListenRequest {
  return (body as { method?: unknown } | null)?.method === 'subscriptions/listen';
}

/** We announce no changes, so the stream would stay silent and open; the SDK would grant it all the same. */
function refuseToListen(response: ServerResponse, { id = null }: { id?: ListenRequest['id'] | null }): void {
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(rpcErrorBody(RPC.METHOD_NOT_FOUND, 'Method not found', id)));
}
