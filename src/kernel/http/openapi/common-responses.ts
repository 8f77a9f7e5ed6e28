import type { ComponentsObject, OpenAPIObject } from '@nestjs/swagger';
import { type ErrorCode, errorTable, type ErrorRow } from '#kernel/errors/error-table.js';

type Responses = NonNullable<ComponentsObject['responses']>;
type Headers = NonNullable<ComponentsObject['headers']>;

const REQUEST_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** The statuses that an operation may fail with, with the name and the sentence they have in the document. */
const FAILURE_RESPONSES: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'The request cannot be accepted as it is; `detail` and `details` say what to mend.'],
  401: ['Unauthorized', 'There is no API key, or not a good one.'],
  403: ['Forbidden', 'The API key lacks a scope, or the workspace a plan.'],
  404: ['NotFound', 'There is no such thing in this workspace.'],
  409: ['Conflict', 'The Idempotency-Key was used for another request, or that request is still running.'],
  413: ['TooLarge', 'The body is larger than this path accepts.'],
  415: ['UnsupportedMediaType', 'The body is not `application/json`.'],
  429: ['RateLimited', 'Too many requests with this API key; wait as `Retry-After` says.'],
  500: ['InternalError', 'Something failed on our side.'],
  503: ['Unavailable', 'The service cannot answer right now; try again as `Retry-After` says.'],
};

/** Where the answer to a failure with `status` stands in the document. */
export function toFailureRef(status: number): { $ref: string } {
  return { $ref: `#/components/responses/${FAILURE_RESPONSES[status]![0]}` };
}

/** The headers that every answer carries, as references. */
export function buildCommonHeaderRefs(): Headers {
  return Object.fromEntries(Object.keys(headers).map(name => [name, toHeaderRef(name)]));
}

/** Puts the error schema, the headers and the failures into a document, for its operations to refer to. */
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

/** Only the door for deliveries of providers, which is not in the document, answers with these. */
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
  return { description, schema: { type: 'integer', format: 'int32', minimum: 0, maximum }, example };
}

const retryAfter = buildCountHeader('Seconds to wait before the next attempt.', 86_400, 2);

const headers: Headers = {
  'x-request-id': {
    description: 'Names this request in our logs; the caller may give it.',
    schema: { type: 'string', minLength: 8, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
    example: REQUEST_ID,
  },
  'RateLimit-Limit': buildCountHeader('Requests that this API key may make in five seconds.', 50_000_000, 500),
  'RateLimit-Remaining': buildCountHeader('How many of them are left.', 50_000_000, 499),
  'RateLimit-Reset': buildCountHeader('Seconds until the count begins anew.', 5, 4),
  'Access-Control-Allow-Origin': {
    description: 'The only origin whose pages may read answers: that of PUBLIC_URL.',
    schema: { type: 'string', format: 'uri', maxLength: 300 },
    example: 'http://localhost:3000',
  },
};

const problemSchema = {
  type: 'object',
  description: 'What is wrong with one field.',
  required: ['field', 'message'],
  additionalProperties: false,
  properties: {
    field: {
      type: 'string',
      description: 'The path of the field, such as `observations[3].kind`.',
      maxLength: 1000,
      pattern: '^.*$',
    },
    message: { type: 'string', description: 'What would be right.', maxLength: 1000, pattern: '^.*$' },
    index: {
      type: 'integer',
      format: 'int32',
      description: 'The row that it belongs to.',
      minimum: 0,
      maximum: 100_000,
    },
  },
};

const errorSchema = {
  type: 'object',
  description: 'Every error has this body; some codes add fields of their own, which their `detail` explains.',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'The stable code of the error.', maxLength: 64, pattern: '^[a-z_ ]+$' },
    detail: { type: 'string', description: 'A sentence for people.', maxLength: 2000, pattern: '^.*$' },
    details: {
      type: 'array',
      description: 'One entry for each field that is wrong.',
      maxItems: 100,
      items: { $ref: '#/components/schemas/Problem' },
    },
    request_id: {
      type: 'string',
      description: 'The same as `x-request-id`.',
      maxLength: 64,
      pattern: '^[A-Za-z0-9._-]+$',
    },
  },
};
