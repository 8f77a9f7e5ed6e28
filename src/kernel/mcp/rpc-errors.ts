import type { ErrorFormatter } from '#kernel/errors/error-response.js';
import type { HubError } from '#kernel/errors/hub-error.js';
import { MCP_PATH } from './mcp-path.js';

/** The codes of JSON-RPC 2.0 that we send; `SERVER` is free for servers, used where HTTP says the rest. */
export const RPC = {
  PARSE: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL: -32603,
  SERVER: -32000,
  /** Up to 2025-11-25; later revisions say invalid parameters. */
  NO_RESOURCE: -32002,
} as const;

/** An error of the protocol itself; both SDKs put `code` and the unchanged message on the wire. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** A JSON-RPC error answer. `id` is null where the request could not be read. */
export interface RpcErrorResponse {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Builds a JSON-RPC error answer. */
export function buildRpcError(
  code: number,
  message: string,
  id: RpcErrorResponse['id'] = null,
  data?: unknown,
): RpcErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/**
 * Dresses for `/mcp` what failed before an SDK saw the request: a body that is no JSON, a limit, our fault.
 * The usual error body is the `data` of the JSON-RPC one; 401 keeps the body that the interface gives.
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
