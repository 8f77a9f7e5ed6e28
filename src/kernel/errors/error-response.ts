import type { HubError } from './hub-error.js';
import { classifyError } from './classify-error.js';

/** Everything that is sent for an error. */
export interface ErrorResponse {
  readonly error: HubError;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** How a door that speaks another protocol dresses its errors. */
export interface ErrorFormatter {
  /** What its 401 says in `WWW-Authenticate`; absent: how to show a key, and nothing more. */
  readonly challenge?: string;
  /** Whether the path (without query) belongs to that door. */
  matches(path: string): boolean;
  /** The answer in that door's form; undefined leaves it to the common one. */
  format(error: HubError, requestId: string): { readonly status: number; readonly body: unknown } | undefined;
}

/** Which request failed. */
export interface FailedRequest {
  readonly path: string;
  readonly requestId: string;
  /** Bytes that its body might have had, where a route was found. */
  readonly maxBodyBytes?: number | undefined;
}

/** Works out the answer to anything that was thrown while a request was handled. */
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

/** The interface gives the body of 401 word for word, so that one bears no request id. */
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
