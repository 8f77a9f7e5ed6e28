import { isPermanentError, isRetryLater, isUnreachable } from '#sdk/errors.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerTimeoutError } from '../../container/deadline.js';

/** What a caller of a plugin's route is told of what its handler has thrown. Other errors are told as ours are. */
export function toRouteError(error: unknown): unknown {
  if (error instanceof HubError) return error;
  if (error instanceof HandlerTimeoutError)
    return HubError.unavailable('The plugin took too long; it may have taken effect.', error);
  if (isPermanentError(error)) return new HubError('invalid_request', { detail: error.message, cause: error });
  if (isRetryLater(error)) {
    const seconds = Math.max(1, Math.ceil(error.afterMs / 1000));
    return HubError.unavailable('The plugin asks to be called later.', error, seconds);
  }
  if (isUnreachable(error)) return HubError.unavailable('The provider of this plugin does not answer.', error);
  return error;
}
