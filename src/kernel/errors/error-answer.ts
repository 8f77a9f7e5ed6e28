import type { HubError } from './errors.js';
import { recognise } from './recognise.js';

/** Everything that is sent for an error. */
export interface ErrorAnswer {
  readonly error: HubError;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** How a door that speaks another protocol dresses its errors. */
export interface ErrorShape {
  /** What its 401 says in `WWW-Authenticate`; absent: how to show a key, and nothing more. */
  readonly challenge?: string;
  /** Whether the path (without query) belongs to that door. */
  matches(path: string): boolean;
  /** The answer in that door's form; undefined leaves it to the common one. */
  shape(error: HubError, requestId: string): { readonly status: number; readonly body: unknown } | undefined;
}

/** Which request failed. */
export interface Failed {
  readonly path: string;
  readonly requestId: string;
  /** Bytes that its body might have had, where a route was found. */
  readonly maxBodyBytes?: number | undefined;
}

/** Works out the answer to anything that was thrown while a request was handled. */
export function answerTo(
  thrown: unknown,
  { path, requestId, maxBodyBytes }: Failed,
  shapes: readonly ErrorShape[],
): ErrorAnswer {
  const error = recognise(thrown, maxBodyBytes);
  const door = shapes.find(each => each.matches(path));
  const shaped = door?.shape(error, requestId);
  return {
    error,
    status: shaped?.status ?? error.status,
    headers: headersOf(error, requestId, door?.challenge),
    body: shaped ? shaped.body : bodyOf(error, requestId),
  };
}

/** The interface gives the body of 401 word for word, so that one bears no request id. */
function bodyOf(error: HubError, requestId: string): unknown {
  return error.code === 'unauthorized' ? error.toBody() : { ...error.toBody(), request_id: requestId };
}

function headersOf(error: HubError, requestId: string, challenge = 'Bearer realm="rapport"'): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    ...(error.status === 401 && { 'www-authenticate': challenge }),
    ...(error.allow && { allow: error.allow.join(', ') }),
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(error.retryAfterSeconds)) }),
  };
}
