import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '#sdk/schema.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { toFieldPath, schemaMessages } from '../../schema-messages.js';

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });
const compiled = new WeakMap<object, ValidateFunction>();

/**
 * Validates a query or a body against the schema that a route declares; without a schema everything is valid.
 * @throws HubError `invalid_request` with at most 20 problems, `unknown_query_param` for undeclared query parameters
 */
export function validateBySchema(part: 'query' | 'body', schema: JsonSchema | undefined, value: unknown): void {
  if (!schema) return;
  const validate = getValidator(schema);
  if (validate(value)) return;
  const errors = validate.errors ?? [];
  if (part === 'query' && errors.some(({ keyword }) => keyword === 'additionalProperties')) {
    throw new HubError('unknown_query_param', { extra: { supported: Object.keys(schema['properties'] ?? {}) } });
  }
  throw HubError.invalidRequest(errors.slice(0, 20).map(toProblem));
}

function getValidator(schema: JsonSchema): ValidateFunction {
  let validate = compiled.get(schema);
  if (!validate) compiled.set(schema, (validate = ajv.compile(schema)));
  return validate;
}

function toProblem(error: ErrorObject) {
  const field = toFieldPath(error) || '(body)';
  return { field, message: `${field} ${schemaMessages(error)}.` };
}
