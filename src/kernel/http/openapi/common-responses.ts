import type { ComponentsObject, OpenAPIObject } from '@nestjs/swagger';
import { type ErrorCode, errorTable } from '#kernel/errors/error-table.js';
import type { ErrorRow } from '#kernel/errors/integration-errors.js';

/** Request headers shared by operations, keyed by name. An operation only declares the name. */
export const commonParameters: Readonly<Record<string, object>> = {
  'Idempotency-Key': {
    description:
      'Unique key of your choice for this request, at most 255 printable characters. Repeating the request with the ' +
      'same key within 24 hours returns the first response with `Idempotent-Replayed: true` and does nothing again. ' +
      'The same key with a different request returns 409 `idempotency_conflict`.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
};

type Responses = NonNullable<ComponentsObject['responses']>;
type Headers = NonNullable<ComponentsObject['headers']>;

const REQUEST_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** Error statuses with their component name and description in the document. */
const FAILURE_RESPONSES: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'The request is invalid. `detail` and `details` name the fields and the fix.'],
  401: ['Unauthorized', 'The API key is missing, unknown, expired or revoked.'],
  403: [
    'Forbidden',
    'The API key lacks the required scope, or the plan of the workspace does not include the feature.',
  ],
  404: ['NotFound', 'The resource does not exist in this workspace.'],
  409: [
    'Conflict',
    'The request conflicts with the current state, such as a newer version or an `Idempotency-Key` in use.',
  ],
  413: ['TooLarge', 'The body is too large, or has more rows than one call accepts.'],
  415: ['UnsupportedMediaType', 'The body is not sent as `application/json`.'],
  429: ['RateLimited', 'Too many requests. Wait for the number of seconds in `Retry-After`.'],
  500: ['InternalError', 'Unexpected error in the service. Report the `request_id` if it persists.'],
  503: ['Unavailable', 'The service is temporarily unavailable. Retry after the number of seconds in `Retry-After`.'],
};

/** Returns the reference to the shared error response of `status`. */
export function toFailureRef(status: number): { $ref: string } {
  return { $ref: `#/components/responses/${FAILURE_RESPONSES[status]![0]}` };
}

/** Returns references to the headers of every response. */
export function buildCommonHeaderRefs(): Headers {
  return Object.fromEntries(Object.keys(headers).map(name => [name, toHeaderRef(name)]));
}

/** Adds the error schema, the common headers and the error responses to the components of a document. */
export function addCommonResponses(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  components.schemas = { ...components.schemas, Error: errorSchema, Problem: problemSchema };
  components.headers = { ...components.headers, ...headers, 'Retry-After': retryAfter };
  components.responses = { ...components.responses, ...buildErrorResponses() };
}

function buildErrorResponses(): Responses {
  return Object.fromEntries(
    Object.entries(FAILURE_RESPONSES).map(([status, [name, description]]) => [
      name,
      {
        description,
        headers: {
          ...buildCommonHeaderRefs(),
          ...(isRetryable(Number(status)) && { 'Retry-After': toHeaderRef('Retry-After') }),
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              listErrorCodes(Number(status)).map(code => [code, { value: buildErrorExample(code) }]),
            ),
          },
        },
      },
    ]),
  );
}

function isRetryable(status: number): boolean {
  return status === 409 || status === 429 || status === 503;
}

/** Codes of the inbound webhook route only, which the document leaves out. */
const WEBHOOK_ERROR_CODES = new Set<ErrorCode>(['missing_signature', 'invalid_signature']);

function listErrorCodes(status: number): ErrorCode[] {
  const codes = Object.keys(errorTable) as ErrorCode[];
  return codes.filter(code => errorTable[code].status === status && !WEBHOOK_ERROR_CODES.has(code));
}

function buildErrorExample(error: ErrorCode): object {
  const { detail }: ErrorRow = errorTable[error];
  return detail === undefined ? { error } : { error, detail, request_id: REQUEST_ID };
}

function toHeaderRef(name: string): { $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}

function buildCountHeader(description: string, maximum: number, example: number) {
  return { description, schema: { type: 'integer', minimum: 0, maximum }, example };
}

const retryAfter = buildCountHeader('Seconds to wait before retrying.', 86_400, 2);

const headers: Headers = {
  'x-request-id': {
    description: 'ID of the request, as it appears in the logs. Send the header to set your own.',
    schema: { type: 'string', minLength: 8, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
    example: REQUEST_ID,
  },
  'RateLimit-Limit': buildCountHeader(
    'Number of requests allowed in the current window of five seconds.',
    50_000_000,
    500,
  ),
  'RateLimit-Remaining': buildCountHeader('Number of requests left in the current window.', 50_000_000, 499),
  'RateLimit-Reset': buildCountHeader('Seconds until the current window ends.', 5, 4),
  'Access-Control-Allow-Origin': {
    description: 'Origin whose web pages may read the response: that of `PUBLIC_URL`.',
    schema: { type: 'string', format: 'uri', maxLength: 300 },
    example: 'http://localhost:3000',
  },
};

const problemSchema = {
  type: 'object',
  description: 'A problem with one field of the request.',
  required: ['field', 'message'],
  additionalProperties: false,
  properties: {
    field: {
      type: 'string',
      description: 'Path of the field in the request, such as `observations[3].kind`.',
      maxLength: 1000,
    },
    message: { type: 'string', description: 'What is wrong with the field and how to fix it.', maxLength: 1000 },
    index: {
      type: 'integer',
      description: 'Zero-based index of the row, in requests with several rows.',
      minimum: 0,
      maximum: 100_000,
    },
  },
};

const errorSchema = {
  type: 'object',
  description: 'Body of every error. Some codes add fields of their own, which `detail` explains.',
  required: ['error'],
  properties: {
    error: {
      type: 'string',
      description: 'Stable code of the error. Branch on it, not on `detail`.',
      enum: Object.keys(errorTable),
    },
    detail: {
      type: 'string',
      description: 'What is wrong and how to fix it, in one sentence. Omitted for `unauthorized`.',
      maxLength: 2000,
    },
    details: {
      type: 'array',
      description: 'One entry per invalid field.',
      maxItems: 100,
      items: { $ref: '#/components/schemas/Problem' },
    },
    request_id: {
      type: 'string',
      description: 'ID of the request; the same as the header `x-request-id`.',
      maxLength: 64,
      pattern: '^[A-Za-z0-9._-]+$',
    },
  },
};
