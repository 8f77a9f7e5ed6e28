import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type AuthInfo,
  type McpHttpHandler,
  type CallToolResult,
  type CreateMcpHandlerOptions,
  type McpRequestContext,
  Server,
  type ServerContext,
  createMcpHandler,
} from '@modelcontextprotocol/server';
import { Injectable, Logger } from '@nestjs/common';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { extractKey } from '#kernel/auth/caller.guard.js';
import { openCallChannel, type CallOrigin } from './call-context.js';
import { INSTRUCTIONS, listCapabilities2026, SERVER_INFO } from './server-info.js';
import { ListChangeSubscriptions } from './list-change-subscriptions.registry.js';
import { RPC, rejectCursor, throwUnknownResource, throwUnknownTool } from './mcp-responses.js';
import { ResourceRegistry } from './resource.registry.js';
import { VisibleListsService } from './visible-lists.service.js';
import { ToolRegistry } from './tool.registry.js';

/** A POST whose body Fastify has parsed. */
export interface ParsedPost {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
  /** Passed to the handler's factory unchanged. */
  readonly authInfo: AuthInfo;
}

/**
 * Responds to a POST with a handler of the SDK. The SDK's own adapter for Node converts body and response to web
 * streams, which costs as much as the rest of the protocol; here the body is parsed already, and most responses are
 * one JSON document.
 */
export async function handlePost(handler: McpHttpHandler, post: ParsedPost): Promise<void> {
  const { request, response, body, authInfo } = post;
  const disconnect = new AbortController();
  response.on('close', () => disconnect.abort());
  const webResponse = await handler.fetch(toWebRequest(request, disconnect.signal), { authInfo, parsedBody: body });
  if (response.destroyed) return;
  for (const [name, value] of webResponse.headers) response.setHeader(name, value);
  response.statusCode = webResponse.status;
  if (webResponse.body && isEventStream(webResponse)) {
    // A client that disconnects in the middle of a stream is not a failure.
    return pipeline(Readable.fromWeb(webResponse.body as never), response).catch(() => undefined);
  }
  response.end(Buffer.from(await webResponse.arrayBuffer()));
}

/** Builds the parts of a web request that a handler reads if it gets a parsed body. */
function toWebRequest({ method = 'POST', url = '/', headers }: IncomingMessage, signal: AbortSignal): Request {
  const known = { method, url, headers: { get: (name: string) => headerOf(headers, name) }, signal };
  return known as unknown as Request;
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

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
