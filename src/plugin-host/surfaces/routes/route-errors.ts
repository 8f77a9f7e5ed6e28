import { isPermanentError, isRetryLater, isUnreachable } from '#sdk/errors.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerTimeoutError } from '../../container/deadline.js';

/** Maps errors of the SDK that a route handler throws to hub errors; returns all other errors unchanged. */
export function toRouteError(error: unknown): unknown {
  if (error instanceof HubError) return error;
  if (error instanceof HandlerTimeoutError)
    return HubError.unavailable('The plugin took too long. The request may have taken effect.', error);
  if (isPermanentError(error)) return new HubError('invalid_request', { detail: error.message, cause: error });
  if (isRetryLater(error)) {
    const seconds = Math.max(1, Math.ceil(error.afterMs / 1000));
    return HubError.unavailable('The plugin cannot handle the request now. Try again later.', error, seconds);
  }
  if (isUnreachable(error)) return HubError.unavailable('The provider of this plugin does not respond.', error);
  return error;
}
