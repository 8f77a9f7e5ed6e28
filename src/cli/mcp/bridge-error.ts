/** JSON-RPC codes of the bridge's own errors, from the range that implementations may use. */
const RPC_CODES = { not_signed_in: -32001, unauthorized: -32001, unreachable: -32002, refused: -32000 } as const;

/** A message could not be delivered. The error message says how to fix it. */
export class BridgeError extends Error {
  constructor(
    readonly reason: keyof typeof RPC_CODES,
    message: string,
  ) {
    super(message);
  }
}

/** Converts an error to the error object of a JSON-RPC response. */
export function toRpcError(error: unknown): { code: number; message: string; data?: object } {
  if (!(error instanceof BridgeError)) return { code: -32603, message: 'The bridge to Rapport failed.' };
  const { reason, message } = error;
  return { code: RPC_CODES[reason], message, data: { error: reason } };
}
