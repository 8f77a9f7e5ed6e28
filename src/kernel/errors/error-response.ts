import { HttpException } from '@nestjs/common';
import type { ErrorCode } from './error-table.js';
import { HubError } from './hub-error.js';

/** Errors of Fastify and Node by their code. */
const FRAMEWORK_ERRORS: Readonly<Record<string, (maxBodyBytes?: number) => HubError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: max =>
    max === undefined ? new HubError('too_large') : HubError.bodyTooLarge(max, 'bytes'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new HubError('unsupported_media_type'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new HubError('invalid_json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    createBadRequest('Content-Length', 'does not match the length of the body.'),
  FST_ERR_BAD_URL: () => createBadRequest('path', 'holds a percent sign that begins no valid UTF-8 text.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new HubError('path_too_long'),
  HPE_HEADER_OVERFLOW: () => new HubError('headers_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new HubError('request_timeout'),
};

/** Error codes for errors that only carry an HTTP status. */
const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden_scope',
  404: 'not_found',
  408: 'request_timeout',
  413: 'too_large',
  414: 'path_too_long',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  431: 'headers_too_large',
  503: 'unavailable',
};

/**
 * Maps any error to a row of the error table; messages of foreign errors are never exposed. An unexpected error
 * becomes `internal_error` with the original as its cause, for the log.
 * @param maxBodyBytes body limit of the route, named in `too_large`.
 */
export function classifyError(error: unknown, maxBodyBytes?: number): HubError {
  if (error instanceof HubError) return error;
  const source = error instanceof HttpException && error.cause ? error.cause : error;
  if (source instanceof HubError) return source;
  const refusal = FRAMEWORK_ERRORS[codeOf(source)];
  if (refusal) return refusal(maxBodyBytes);
  const code = CODE_BY_STATUS[statusOf(error)] ?? 'internal_error';
  return new HubError(code, { cause: error });
}

function createBadRequest(field: string, what: string): HubError {
  return HubError.invalidRequest([{ field, message: `${field} ${what}` }]);
}

function codeOf(error: unknown): string {
  return String(propertyOf(error, 'code') ?? '');
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  return Number(propertyOf(error, 'statusCode') ?? 500);
}

function propertyOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined;
}

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
