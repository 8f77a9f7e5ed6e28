import { RPC, RpcError } from './rpc-errors.js';

/**
 * A name that, for this caller, no tool has. The same text for a hidden tool, which must not be told apart.
 */
export function throwUnknownTool(name: string): never {
  throw new RpcError(RPC.INVALID_PARAMS, `Unknown tool: ${name}`);
}

/** An address that, for this caller, no resource has. `code` is another one in each era. */
export function throwUnknownResource(uri: string, code: number): never {
  throw new RpcError(code, `Unknown resource: ${uri}`, { uri });
}

/** Lists have one page, so no cursor was ever handed out. */
export function rejectCursor(cursor: unknown): void {
  if (cursor !== undefined) throw new RpcError(RPC.INVALID_PARAMS, 'Unknown cursor: the list has one page');
}
