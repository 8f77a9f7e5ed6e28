import type { ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema } from '#sdk/schema.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { createSchemaValidator, toFieldPath, schemaMessages } from '../../schema-validation.js';

const findErrors = createSchemaValidator({ validateFormats: false });

/**
 * Validates a query or a body against the schema that a route declares; without a schema everything is valid.
 * @throws HubError `invalid_request` with at most 20 problems, `unknown_query_param` for undeclared query parameters
 */
export function validateBySchema(part: 'query' | 'body', schema: JsonSchema | undefined, value: unknown): void {
  if (!schema) return;
  const errors = findErrors(schema, value);
  if (errors.length === 0) return;
  if (part === 'query' && errors.some(({ keyword }) => keyword === 'additionalProperties')) {
    throw new HubError('unknown_query_param', { extra: { supported: Object.keys(schema['properties'] ?? {}) } });
  }
  throw HubError.invalidRequest(errors.slice(0, 20).map(toProblem));
}

function toProblem(error: ErrorObject) {
  const field = toFieldPath(error) || '(body)';
  return { field, message: `${field} ${schemaMessages(error)}.` };
}
