import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import {
  type CallToolResult,
  type CreateMcpHandlerOptions,
  type McpHttpHandler,
  type McpRequestContext,
  Server,
  type ServerContext,
  createMcpHandler,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { extractKey } from '#kernel/auth/early-auth.hook.js';
import { openCallChannel, type CallOrigin } from './call-context.js';
import { INSTRUCTIONS, listCapabilities2026, SERVER_INFO } from './server-info.js';
import { ListChangeSubscriptions } from './list-change-subscriptions.registry.js';
import { RPC, rejectCursor, throwUnknownResource, throwUnknownTool } from './rpc-errors.js';
import { type ParsedPost, handlePost } from './web-request.adapter.js';
import { ResourceRegistry } from './resource.registry.js';
import { VisibleListsService } from './visible-lists.service.js';
import { ToolRegistry } from './tool.registry.js';

/** Cache hints of lists; clients that do not subscribe see a change of plan within this time. */
const LIST_CACHE_HINTS = { ttlMs: 60_000, cacheScope: 'private' } as const;
/** Cache hints of resources, whose content can change at any time. */
const NO_CACHE_HINTS = { ttlMs: 0, cacheScope: 'private' } as const;

/** Shared by all requests, because building one costs more than a call. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Handles protocol revision 2026-07-28, which has neither handshake nor session. */
@Injectable()
export class Mcp2026Handler {
  private readonly logger = new Logger('mcp');
  private readonly callHandler = this.createHandler();

  constructor(
    private readonly registry: ToolRegistry,
    private readonly resources: ResourceRegistry,
    private readonly lists: VisibleListsService,
    private readonly subscriptions: ListChangeSubscriptions,
  ) {}

  /** Handles a POST. Fastify has consumed the stream, so the parsed body is passed. */
  async serve(request: IncomingMessage, response: ServerResponse, body: unknown, origin: CallOrigin): Promise<void> {
    const { actor, scopes } = origin.caller;
    const authInfo = { token: '', clientId: actor.id, scopes: [...scopes], extra: { origin } };
    const post = { request, response, body, authInfo };
    await (isListenRequest(body) ? this.listen(post, origin) : handlePost(this.callHandler, post));
  }

  /** Creates a handler for this stream alone, because the events depend on its caller. */
  private async listen(post: ParsedPost, { caller }: CallOrigin): Promise<void> {
    const { request, response } = post;
    const view = await this.lists.toView(caller);
    const isFull = this.subscriptions.isFull(caller);
    let end = (): void => undefined;
    const { bus, leave } = this.subscriptions.add(caller, view, extractKey(request.rawHeaders), () => end());
    response.on('close', leave);
    const handler = this.createHandler({ bus, ...(isFull && { maxSubscriptions: 0 }) });
    end = () => void handler.close();
    await handlePost(handler, post);
  }

  private createHandler(more: CreateMcpHandlerOptions = {}): McpHttpHandler {
    return createMcpHandler(context => this.createServer(originOf(context)), {
      legacy: 'reject',
      onerror: error => this.logger.debug({ msg: 'an MCP request was refused', err: error }),
      ...more,
    });
  }

  private createServer(origin: CallOrigin): Server {
    const hasPrompts = this.resources.listPrompts(origin.caller).length > 0;
    const server = new Server(SERVER_INFO, {
      capabilities: listCapabilities2026(hasPrompts),
      instructions: INSTRUCTIONS,
      jsonSchemaValidator,
    });
    server.setRequestHandler('tools/list', async ({ params }) => {
      rejectCursor(params?.cursor);
      return {
        tools: [...this.registry.list(await this.lists.toView(origin.caller), origin.toolFilter)] as never,
        ...LIST_CACHE_HINTS,
      };
    });
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const result = await this.registry.call(params.name, params.arguments, toCall(origin, params.name, mcpReq));
      return (result ?? throwUnknownTool(params.name)) as CallToolResult;
    });
    this.registerResourceHandlers(server, origin);
    if (hasPrompts) this.registerPromptHandlers(server, origin);
    return server;
  }

  private registerResourceHandlers(server: Server, origin: CallOrigin): void {
    const { resources } = this;
    const { caller } = origin;
    server.setRequestHandler('resources/list', async ({ params }) => {
      rejectCursor(params?.cursor);
      return { resources: [...resources.listResources(await this.lists.toView(caller))] as never, ...LIST_CACHE_HINTS };
    });
    server.setRequestHandler('resources/templates/list', async ({ params }) => {
      rejectCursor(params?.cursor);
      return {
        resourceTemplates: [...resources.listTemplates(await this.lists.toView(caller))] as never,
        ...LIST_CACHE_HINTS,
      };
    });
    server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
      const read = await resources.read(uri, toCall(origin, uri, mcpReq));
      return { ...(read ?? throwUnknownResource(uri, RPC.INVALID_PARAMS)), ...NO_CACHE_HINTS } as never;
    });
  }

  private registerPromptHandlers(server: Server, origin: CallOrigin): void {
    const { resources } = this;
    const { caller } = origin;
    server.setRequestHandler('prompts/list', async ({ params }) => {
      rejectCursor(params?.cursor);
      return { prompts: [...resources.listPrompts(await this.lists.toView(caller))] as never, ...LIST_CACHE_HINTS };
    });
    server.setRequestHandler('prompts/get', async ({ params: { name, arguments: args } }, { mcpReq }) => {
      return (await resources.getPrompt(name, args, toCall(origin, name, mcpReq))) as never;
    });
  }
}

function toCall(origin: CallOrigin, name: string, mcpReq: ServerContext['mcpReq']) {
  return openCallChannel(origin, {
    meta: mcpReq._meta,
    signal: mcpReq.signal,
    notify: (method, notice) => mcpReq.notify({ method, params: notice }),
    log: (level, message) => mcpReq.log(level, message, name),
  });
}

function originOf({ authInfo }: McpRequestContext): CallOrigin {
  return authInfo?.extra?.['origin'] as CallOrigin;
}

function isListenRequest(body: unknown): boolean {
  return (body as { method?: unknown } | null)?.method === 'subscriptions/listen';
}
