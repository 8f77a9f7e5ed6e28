import { RPC, RpcError } from './rpc-errors.js';

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
