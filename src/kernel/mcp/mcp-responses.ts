import type { ErrorFormatter } from '#kernel/errors/error-response.js';
import { HubError, type FieldProblem } from '#kernel/errors/hub-error.js';
import { isToolError } from '#sdk/errors.js';
import { isToolContent, type ContentBlock } from '#sdk/content.js';
import type { McpToolOptions } from '#sdk/tool.js';
import { truncateObject, truncateText, OUTPUT_BUDGET_TOKENS } from './output-budget.js';

/** Path of the MCP endpoint. */
export const MCP_PATH = '/mcp';

/** Returns whether a Fastify request was routed to MCP, whatever its raw URL looks like. */
export function isMcpRequest(request: { readonly routeOptions: { readonly url?: string | undefined } }): boolean {
  return request.routeOptions.url === MCP_PATH;
}

/** Throws for a tool that the caller cannot see. A hidden tool gets the same message as one that does not exist. */
export function throwUnknownTool(name: string): never {
  throw new RpcError(RPC.INVALID_PARAMS, `Unknown tool: ${name}`);
}

/**
 * Throws for a resource that the caller cannot see.
 * @param code error code; it differs between protocol revisions.
 */
export function throwUnknownResource(uri: string, code: number): never {
  throw new RpcError(code, `Unknown resource: ${uri}`, { uri });
}

/** Rejects any cursor: lists have one page, so none was ever returned. */
export function rejectCursor(cursor: unknown): void {
  if (cursor !== undefined) throw new RpcError(RPC.INVALID_PARAMS, 'Unknown cursor: the list has one page');
}

/** JSON-RPC 2.0 error codes; `SERVER` is reserved for servers and used where the HTTP status says more. */
export const RPC = {
  PARSE: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL: -32603,
  SERVER: -32000,
  /** Used up to revision 2025-11-25; later revisions use INVALID_PARAMS. */
  NO_RESOURCE: -32002,
} as const;

/** A protocol error; both SDKs send `code` and the message unchanged. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** A JSON-RPC error response. `id` is null if the request could not be parsed. */
export interface RpcErrorResponse {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Builds a JSON-RPC error response. */
export function buildRpcError(
  code: number,
  message: string,
  id: RpcErrorResponse['id'] = null,
  data?: unknown,
): RpcErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/**
 * Formats errors of `/mcp` that occur before an SDK handles the request: invalid JSON, limits, internal errors. The
 * common error body becomes the `data` of the JSON-RPC error; a 401 keeps its common body.
 */
export const mcpErrorFormatter: ErrorFormatter = {
  matches: path => path === MCP_PATH,
  format: (error, requestId) => {
    if (error.status === 401) return undefined;
    const data = { ...error.toBody(), request_id: requestId };
    return { status: error.status, body: buildRpcError(toRpcCode(error), error.detail ?? error.code, null, data) };
  },
};

function toRpcCode({ code, status }: HubError): number {
  if (code === 'invalid_json') return RPC.PARSE;
  if (status === 400) return RPC.INVALID_REQUEST;
  return status >= 500 ? RPC.INTERNAL : RPC.SERVER;
}

/** Maximum number of lines; more would cost a model more than they help. */
const MAX_LINES = 20;
const VISIBLE_EXTRA_FIELDS = [
  'supported',
  'valid_types',
  'valid_intents',
  'max',
  'entity_ids',
  'connection_ids',
  'which',
];

/**
 * Returns what a model may read about an error: our own messages, never those of a database or a third party.
 * Undefined if there is none.
 */
export function toModelMessage(error: unknown): string | undefined {
  if (isToolError(error)) return error.message;
  if (!(error instanceof HubError) || error.code === 'internal_error') return undefined;
  const summary = `${error.code}: ${error.detail ?? 'the call was refused.'}`;
  const advice = formatAdvice(error);
  return [
    advice ? `${summary} ${advice}` : summary,
    ...formatLines(error.details ?? []),
    ...formatLines(listExtraProblems(error)),
  ].join('\n');
}

/**
 * Lists further fields of the error: names, limits and IDs of the hub. Fields with stored user text are omitted,
 * because it must not look like text of this server.
 */
function listExtraProblems({ extra }: HubError): FieldProblem[] {
  const { current, ...others } = extra;
  const version = (current as { version?: unknown } | null | undefined)?.version;
  const problems = VISIBLE_EXTRA_FIELDS.filter(name => name in others).map(name => ({
    field: name,
    message: [others[name]].flat().join(', '),
  }));
  return typeof version === 'number' ? [...problems, { field: 'current version', message: String(version) }] : problems;
}

/** Formats the message for arguments that do not match the schema of the tool. */
export function formatArgumentProblems(name: string, problems: readonly FieldProblem[]): string {
  const what = `The arguments of ${name} are not accepted; correct them and call again.`;
  return [what, ...formatLines(problems)].join('\n');
}

/** Returns the message for unexpected errors. The request ID identifies the call in the log. */
export function genericErrorMessage(what: string, isRepeatable: boolean, requestId: string): string {
  const retry = isRepeatable ? 'One retry is safe.' : 'It may have taken effect: look before you call it again.';
  return `The ${what} failed on our side (request ${requestId}). ${retry} If it fails again, tell the user.`;
}

function formatAdvice({ code, retryAfterSeconds }: HubError): string {
  if (retryAfterSeconds !== undefined) return `Retry after ${retryAfterSeconds} s.`;
  return code === 'plan_required' || code === 'forbidden_scope' ? 'Do not retry; tell the user.' : '';
}

function formatLines(problems: readonly FieldProblem[]): string[] {
  const shown = problems.slice(0, MAX_LINES).map(({ field, message }) => `- ${field}: ${message}`);
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, `- and ${more} more`] : shown;
}

/** Result of a call in the form of both protocol revisions. */
export interface ToolResult {
  [key: string]: unknown;
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/**
 * Converts a handler's return value to a result within the output budget. An object is sent as structured content and
 * as the same JSON in text, because a client may show either; texts and lists are sent as text only.
 * @throws TypeError for a value that JSON cannot represent, and for anything but an object if the tool declares an
 * output.
 */
export function toToolResult(options: McpToolOptions, returned: unknown, budget = OUTPUT_BUDGET_TOKENS): ToolResult {
  if (isToolContent(returned)) return { content: returned.blocks.map(block => truncateBlock(block, budget)) };
  if (isObject(returned)) return toStructuredResult(options, returned, budget);
  if (options.output) throw new TypeError(`${options.name} declares an output but returned no object.`);
  const text = typeof returned === 'string' ? returned : (JSON.stringify(returned) ?? 'done');
  return { content: [{ type: 'text', text: truncateText(text, budget) }] };
}

/** Returns a result with an error message for the model. */
export function toErrorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function toStructuredResult(options: McpToolOptions, returned: Record<string, unknown>, budget: number): ToolResult {
  const fitted = truncateObject(returned, options.trim ?? [], budget);
  if (!fitted) return toErrorResult(tooLargeMessage(options, budget));
  return { content: [{ type: 'text', text: fitted.text }], structuredContent: fitted.value };
}

function truncateBlock(block: ContentBlock, budget: number): ContentBlock {
  return block.type === 'text' ? { ...block, text: truncateText(block.text, budget) } : block;
}

function tooLargeMessage({ name, annotations }: McpToolOptions, budget: number): string {
  const what = `The result of ${name} is larger than ${budget} tokens`;
  return annotations.readOnlyHint
    ? `${what}. Ask for less: a smaller limit or a narrower question.`
    : `${what} and is left out, but the call was carried out. Do not repeat it.`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
