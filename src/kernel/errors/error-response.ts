import type { HubError } from './hub-error.js';
import { classifyError } from './classify-error.js';

/** Status, headers and body that are sent for an error. */
export interface ErrorResponse {
  readonly error: HubError;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Formats the errors of paths that use another protocol. */
export interface ErrorFormatter {
  /** Value of `WWW-Authenticate` in a 401; absent for the default challenge. */
  readonly challenge?: string;
  /** Returns whether a path (without query) uses this formatter. */
  matches(path: string): boolean;
  /** Returns the response in the format of the protocol; undefined for the common one. */
  format(error: HubError, requestId: string): { readonly status: number; readonly body: unknown } | undefined;
}

/** The request that failed. */
export interface FailedRequest {
  readonly path: string;
  readonly requestId: string;
  /** Body limit in bytes if a route was found. */
  readonly maxBodyBytes?: number | undefined;
}

/** Builds the response for anything that was thrown while a request was handled. */
export function toErrorResponse(
  thrown: unknown,
  { path, requestId, maxBodyBytes }: FailedRequest,
  formatters: readonly ErrorFormatter[],
): ErrorResponse {
  const error = classifyError(thrown, maxBodyBytes);
  const formatter = formatters.find(each => each.matches(path));
  const formatted = formatter?.format(error, requestId);
  return {
    error,
    status: formatted?.status ?? error.status,
    headers: buildHeaders(error, requestId, formatter?.challenge),
    body: formatted ? formatted.body : buildBody(error, requestId),
  };
}

/** Builds the common body. The API specifies the body of a 401 exactly, so it has no request ID. */
function buildBody(error: HubError, requestId: string): unknown {
  return error.code === 'unauthorized' ? error.toBody() : { ...error.toBody(), request_id: requestId };
}

function buildHeaders(
  error: HubError,
  requestId: string,
  challenge = 'Bearer realm="rapport"',
): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    ...(error.status === 401 && { 'www-authenticate': challenge }),
    ...(error.allow && { allow: error.allow.join(', ') }),
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(error.retryAfterSeconds)) }),
  };
}
