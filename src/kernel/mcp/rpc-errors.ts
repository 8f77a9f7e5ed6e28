import type { ErrorFormatter } from '#kernel/errors/error-response.js';
import type { HubError } from '#kernel/errors/hub-error.js';
import { MCP_PATH } from './server-info.js';

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
