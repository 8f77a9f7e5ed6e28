import { HubError } from '#kernel/errors/hub-error.js';

/**
 * Thrown where a connection is used whose stored credentials or settings do not fit the plugin any more. For users it is
 * `not_connected` with the reason; jobs wait until somebody connects again.
 */
export class ReconnectRequiredError extends HubError {
  constructor(reason: string | null) {
    super('not_connected', {
      detail: `${reason ?? 'The stored values do not fit the plugin.'} Connect the provider again.`,
    });
  }
}

/** Returns whether an error, or what caused it, is a connection that has to be made again. */
export function isReconnectRequired(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof ReconnectRequiredError) return true;
  return false;
}
