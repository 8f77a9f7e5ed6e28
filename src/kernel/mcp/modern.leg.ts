import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import {
  createMcpHandler,
  Server,
  type CallToolResult,
  type CreateMcpHandlerOptions,
  type McpHttpHandler,
  type McpRequestContext,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { presentedKey } from '#kernel/auth/presented-key.js';
import { linkCall } from './call.link.js';
import { INSTRUCTIONS } from './instructions.js';
import { Listeners } from './listeners.js';
import { RPC } from './mcp.errors.js';
import { answerPost, type ReadPost } from './modern.http.js';
import { OfferRegistry } from './offer.registry.js';
import { refuseCursor, unknownResource, unknownTool } from './rpc.refusals.js';
import { MODERN_CAPABILITIES, SERVER_INFO } from './server.info.js';
import type { CallOrigin } from './tool.context.js';
import { ToolRegistry } from './tool.registry.js';

/** How long a client that does not listen may keep a list; a change of plan is seen within this time. */
const KEPT = { ttlMs: 60_000, cacheScope: 'private' } as const;
/** What a resource holds may be another thing a moment later. */
const UNKEPT = { ttlMs: 0, cacheScope: 'private' } as const;

/** One for all requests, as building it costs more than a call. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Protocol revision 2026-07-28, which has neither handshake nor session. */
@Injectable()
export class ModernLeg {
  private readonly logger = new Logger('mcp');
  private readonly calls = this.handler();

  constructor(
    private readonly registry: ToolRegistry,
    private readonly offers: OfferRegistry,
    private readonly listeners: Listeners,
  ) {}

  /** Answers a POST. Fastify has read the stream, so the parsed body comes along. */
  async serve(request: IncomingMessage, response: ServerResponse, body: unknown, origin: CallOrigin): Promise<void> {
    const { keyId, scopes } = origin.caller;
    const authInfo = { token: '', clientId: keyId, scopes: [...scopes], extra: { origin } };
    const post = { request, response, body, authInfo };
    await (wantsToListen(body) ? this.listen(post, origin) : answerPost(this.calls, post));
  }

  /** A handler for this stream alone, since what is news depends on who listens. */
  private async listen(post: ReadPost, { caller }: CallOrigin): Promise<void> {
    const { request, response } = post;
    const isFull = this.listeners.isFull(caller);
    let end = (): void => undefined;
    const { bus, leave } = this.listeners.add(caller, presentedKey(request.rawHeaders), () => end());
    response.on('close', leave);
    const handler = this.handler({ bus, ...(isFull && { maxSubscriptions: 0 }) });
    end = () => void handler.close();
    await answerPost(handler, post);
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
      return { tools: [...this.registry.list(origin.caller, origin.choice)] as never, ...KEPT };
    });
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const result = await this.registry.call(params.name, params.arguments, linked(origin, params.name, mcpReq));
      return (result ?? unknownTool(params.name)) as CallToolResult;
    });
    this.offer(server, origin);
    return server;
  }

  private offer(server: Server, origin: CallOrigin): void {
    const { offers } = this;
    const { caller } = origin;
    server.setRequestHandler('resources/list', ({ params }) => {
      refuseCursor(params?.cursor);
      return { resources: [...offers.listResources(caller)] as never, ...KEPT };
    });
    server.setRequestHandler('resources/templates/list', ({ params }) => {
      refuseCursor(params?.cursor);
      return { resourceTemplates: [...offers.listTemplates(caller)] as never, ...KEPT };
    });
    server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
      const read = await offers.read(uri, linked(origin, uri, mcpReq));
      return { ...(read ?? unknownResource(uri, RPC.INVALID_PARAMS)), ...UNKEPT } as never;
    });
    server.setRequestHandler('prompts/list', ({ params }) => {
      refuseCursor(params?.cursor);
      return { prompts: [...offers.listPrompts(caller)] as never, ...KEPT };
    });
    server.setRequestHandler('prompts/get', async ({ params: { name, arguments: args } }, { mcpReq }) => {
      return (await offers.prompt(name, args, linked(origin, name, mcpReq))) as never;
    });
  }
}

function linked(origin: CallOrigin, name: string, mcpReq: ServerContext['mcpReq']) {
  return linkCall(origin, {
    meta: mcpReq._meta,
    signal: mcpReq.signal,
    notify: (method, notice) => mcpReq.notify({ method, params: notice }),
    log: (level, message) => mcpReq.log(level, message, name),
  });
}

function originOf({ authInfo }: McpRequestContext): CallOrigin {
  return authInfo?.extra?.['origin'] as CallOrigin;
}

function wantsToListen(body: unknown): boolean {
  return (body as { method?: unknown } | null)?.method === 'subscriptions/listen';
}
