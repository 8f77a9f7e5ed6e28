import { RPC, RpcError } from './mcp.errors.js';

/**
 * A name that, for this caller, no tool has. The same text for a hidden tool, which must not be told apart.
 */
export function unknownTool(name: string): never {
  throw new RpcError(RPC.INVALID_PARAMS, `Unknown tool: ${name}`);
}

/** The list of tools has one page, so no cursor was ever handed out. */
export function refuseCursor(cursor: unknown): void {
  if (cursor !== undefined) throw new RpcError(RPC.INVALID_PARAMS, 'Unknown cursor: the list of tools has one page');
}
