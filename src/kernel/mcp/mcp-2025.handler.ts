import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { openCallChannel, type CallOrigin } from './call-context.js';
import { INSTRUCTIONS, listCapabilities2025, SERVER_INFO } from './server-info.js';
import { RPC, rejectCursor, throwUnknownResource, throwUnknownTool } from './mcp-responses.js';
import { ResourceRegistry } from './resource.registry.js';
import { VisibleListsService } from './visible-lists.service.js';
import { withReadableParamErrors } from './argument-problems.js';
import { ToolRegistry } from './tool.registry.js';

/** Shared by all requests: building one for each Server would take a third to a half of a call's time. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Schemas of the supported requests. */
const REQUEST_SCHEMAS = {
  listTools: withReadableParamErrors(ListToolsRequestSchema),
  callTool: withReadableParamErrors(CallToolRequestSchema),
  listResources: withReadableParamErrors(ListResourcesRequestSchema),
  listResourceTemplates: withReadableParamErrors(ListResourceTemplatesRequestSchema),
  readResource: withReadableParamErrors(ReadResourceRequestSchema),
  listPrompts: withReadableParamErrors(ListPromptsRequestSchema),
  getPrompt: withReadableParamErrors(GetPromptRequestSchema),
};

interface RpcMessage {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly _meta?: Record<string, unknown>; task?: unknown };
}

/** Handles protocol revisions up to 2025-11-25. Stateless: a Server and a transport live for one POST. */
@Injectable()
export class Mcp2025Handler {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly resources: ResourceRegistry,
    private readonly lists: VisibleListsService,
  ) {}

  /** Handles a POST. Fastify has consumed the stream, so the parsed body is passed. */
  async serve(request: IncomingMessage, response: ServerResponse, body: unknown, origin: CallOrigin): Promise<void> {
    const messages = toServableMessages(body);
    const enableJsonResponse = !messages.some(message => this.needsStream(message));
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse,
    });
    const server = this.createServer(origin);
    response.on('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, Array.isArray(body) ? messages : messages[0]);
  }

  private createServer(origin: CallOrigin): Server {
    const hasPrompts = this.resources.listPrompts(origin.caller).length > 0;
    const server = new Server(SERVER_INFO, {
      capabilities: listCapabilities2025(hasPrompts),
      instructions: INSTRUCTIONS,
      jsonSchemaValidator,
    });
    server.setRequestHandler(REQUEST_SCHEMAS.listTools, async ({ params }) => {
      rejectCursor(params?.cursor);
      return { tools: [...this.registry.list(await this.lists.toView(origin.caller), origin.toolFilter)] };
    });
    server.setRequestHandler(REQUEST_SCHEMAS.callTool, async ({ params }, { signal, sendNotification }) => {
      const call = toCall(origin, params.name, params._meta, { signal, sendNotification });
      const result = await this.registry.call(params.name, params.arguments, call);
      return (result ?? throwUnknownTool(params.name)) as CallToolResult;
    });
    this.registerResourceHandlers(server, origin);
    if (hasPrompts) this.registerPromptHandlers(server, origin);
    return server;
  }

  private registerResourceHandlers(server: Server, origin: CallOrigin): void {
    const { resources } = this;
    const { caller } = origin;
    server.setRequestHandler(REQUEST_SCHEMAS.listResources, async ({ params }) => {
      rejectCursor(params?.cursor);
      return { resources: [...resources.listResources(await this.lists.toView(caller))] as never };
    });
    server.setRequestHandler(REQUEST_SCHEMAS.listResourceTemplates, async ({ params }) => {
      rejectCursor(params?.cursor);
      return { resourceTemplates: [...resources.listTemplates(await this.lists.toView(caller))] as never };
    });
    server.setRequestHandler(REQUEST_SCHEMAS.readResource, async ({ params: { uri, _meta } }, extra) => {
      const read = await resources.read(uri, toCall(origin, uri, _meta, extra));
      return (read ?? throwUnknownResource(uri, RPC.NO_RESOURCE)) as never;
    });
  }

  private registerPromptHandlers(server: Server, origin: CallOrigin): void {
    const { resources } = this;
    const { caller } = origin;
    server.setRequestHandler(REQUEST_SCHEMAS.listPrompts, async ({ params }) => {
      rejectCursor(params?.cursor);
      return { prompts: [...resources.listPrompts(await this.lists.toView(caller))] as never };
    });
    server.setRequestHandler(REQUEST_SCHEMAS.getPrompt, async ({ params: { name, arguments: args, _meta } }, extra) => {
      return (await resources.getPrompt(name, args, toCall(origin, name, _meta, extra))) as never;
    });
  }

  /** Returns whether a message needs an event stream. A single JSON response is cheaper, but drops notifications. */
  private needsStream({ method, params }: RpcMessage): boolean {
    if (method !== 'tools/call') return false;
    return params?._meta?.['progressToken'] !== undefined || this.registry.isLongRunning(params?.name);
  }
}

type RequestExtra = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, 'signal' | 'sendNotification'>;

function toCall(
  origin: CallOrigin,
  name: string,
  meta: Record<string, unknown> | undefined,
  { signal, sendNotification }: RequestExtra,
) {
  return openCallChannel(origin, {
    meta,
    signal,
    notify: (method, notice) => sendNotification({ method, params: notice as never }),
    log: (level, data) => sendNotification({ method: 'notifications/message', params: { level, logger: name, data } }),
  });
}

/**
 * Returns the messages of a POST that a stateless server can handle. A cancellation can only refer to a request of
 * its own batch, which would then get no response, and the POST would stay open. Requests for a task must be ignored
 * by servers without tasks, but the SDK would run the tool and then reject its result.
 */
function toServableMessages(body: unknown): RpcMessage[] {
  const messages = [body as RpcMessage | RpcMessage[]].flat();
  for (const { params } of messages) delete params?.task;
  return Array.isArray(body) ? messages.filter(({ method }) => method !== 'notifications/cancelled') : messages;
}
