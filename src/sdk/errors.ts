/** Survives two copies of this package in one process, which `instanceof` does not. */
const BRAND = Symbol.for('rapport:tool-error');

/**
 * An error whose message is meant for a model: what is wrong, what to change, which tool gives a missing id,
 * and whether a retry helps. Any other error of a handler reaches the model as one fixed sentence.
 * @example throw new ToolError('No booking has the uid "abc". calcom_list_bookings gives those that exist.');
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly [BRAND] = true;
}

/** Whether something thrown is a {@link ToolError}, of this copy of the package or of another. */
export function isToolError(error: unknown): error is ToolError {
  return error instanceof Error && BRAND in error;
}
