import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type CallToolResult,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { linkCall } from './call.link.js';
import { INSTRUCTIONS } from './instructions.js';
import { RPC } from './mcp.errors.js';
import { OfferRegistry } from './offer.registry.js';
import { refuseCursor, unknownResource, unknownTool } from './rpc.refusals.js';
import { CAPABILITIES, SERVER_INFO } from './server.info.js';
import type { CallOrigin } from './tool.context.js';
import { tellingOfParams } from './told.params.js';
import { ToolRegistry } from './tool.registry.js';

/** One for all requests: each Server would build its own, which is a third to a half of a call's cost. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** What is asked of a server, each checked by its schema. */
const ASKED = {
  listTools: tellingOfParams(ListToolsRequestSchema),
  callTool: tellingOfParams(CallToolRequestSchema),
  listResources: tellingOfParams(ListResourcesRequestSchema),
  listResourceTemplates: tellingOfParams(ListResourceTemplatesRequestSchema),
  readResource: tellingOfParams(ReadResourceRequestSchema),
  listPrompts: tellingOfParams(ListPromptsRequestSchema),
  getPrompt: tellingOfParams(GetPromptRequestSchema),
};

interface RpcMessage {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly _meta?: Record<string, unknown>; task?: unknown };
}

/** Protocol revisions up to 2025-11-25. Stateless: a Server and a transport live for one POST. */
@Injectable()
export class LegacyLeg {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly offers: OfferRegistry,
  ) {}

  /** Answers a POST. Fastify has read the stream, so the parsed body comes along. */
  async serve(request: IncomingMessage, response: ServerResponse, body: unknown, origin: CallOrigin): Promise<void> {
    const messages = servable(body);
    const enableJsonResponse = !messages.some(message => this.wantsStream(message));
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse,
    });
    const server = this.serverFor(origin);
    response.on('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, Array.isArray(body) ? messages : messages[0]);
  }

  private serverFor(origin: CallOrigin): Server {
    const server = new Server(SERVER_INFO, {
      capabilities: CAPABILITIES,
      instructions: INSTRUCTIONS,
      jsonSchemaValidator,
    });
    server.setRequestHandler(ASKED.listTools, ({ params }) => {
      refuseCursor(params?.cursor);
      return { tools: [...this.registry.list(origin.caller, origin.choice)] };
    });
    server.setRequestHandler(ASKED.callTool, async ({ params }, { signal, sendNotification }) => {
      const call = linked(origin, params.name, params._meta, { signal, sendNotification });
      const result = await this.registry.call(params.name, params.arguments, call);
      return (result ?? unknownTool(params.name)) as CallToolResult;
    });
    this.offer(server, origin);
    return server;
  }

  private offer(server: Server, origin: CallOrigin): void {
    const { offers } = this;
    const { caller } = origin;
    server.setRequestHandler(ASKED.listResources, ({ params }) => {
      refuseCursor(params?.cursor);
      return { resources: [...offers.listResources(caller)] as never };
    });
    server.setRequestHandler(ASKED.listResourceTemplates, ({ params }) => {
      refuseCursor(params?.cursor);
      return { resourceTemplates: [...offers.listTemplates(caller)] as never };
    });
    server.setRequestHandler(ASKED.readResource, async ({ params: { uri, _meta } }, extra) => {
      const read = await offers.read(uri, linked(origin, uri, _meta, extra));
      return (read ?? unknownResource(uri, RPC.NO_RESOURCE)) as never;
    });
    server.setRequestHandler(ASKED.listPrompts, ({ params }) => {
      refuseCursor(params?.cursor);
      return { prompts: [...offers.listPrompts(caller)] as never };
    });
    server.setRequestHandler(ASKED.getPrompt, async ({ params: { name, arguments: args, _meta } }, extra) => {
      return (await offers.prompt(name, args, linked(origin, name, _meta, extra))) as never;
    });
  }

  /** One JSON answer is cheaper, but it drops every notice that is sent before it. */
  private wantsStream({ method, params }: RpcMessage): boolean {
    if (method !== 'tools/call') return false;
    return params?._meta?.['progressToken'] !== undefined || this.registry.isLongRunning(params?.name);
  }
}

type Extra = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, 'signal' | 'sendNotification'>;

function linked(
  origin: CallOrigin,
  name: string,
  meta: Record<string, unknown> | undefined,
  { signal, sendNotification }: Extra,
) {
  return linkCall(origin, {
    meta,
    signal,
    notify: (method, notice) => sendNotification({ method, params: notice as never }),
    log: (level, data) => sendNotification({ method: 'notifications/message', params: { level, logger: name, data } }),
  });
}

/**
 * The messages of a POST as a stateless server can serve them. A cancellation can only name a request of its
 * own batch and would leave it without an answer, and the POST open for ever. A wish for a task is to be
 * ignored by servers that have none, but the SDK would run the tool and then refuse its result.
 */
function servable(body: unknown): RpcMessage[] {
  const messages = [body as RpcMessage | RpcMessage[]].flat();
  for (const { params } of messages) delete params?.task;
  return Array.isArray(body) ? messages.filter(({ method }) => method !== 'notifications/cancelled') : messages;
}
