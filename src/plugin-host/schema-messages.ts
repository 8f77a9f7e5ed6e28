import type { ErrorObject } from 'ajv/dist/2020.js';

/**
 * Returns the dotted path of the field that an error is about, including missing and unknown fields; empty for the
 * root.
 */
export function toFieldPath({ instancePath, keyword, params }: ErrorObject): string {
  const inside = instancePath.slice(1).replaceAll('/', '.');
  const missing = keyword === 'required' ? String(params['missingProperty']) : '';
  const unknown = keyword === 'additionalProperties' ? String(params['additionalProperty']) : '';
  return [inside, missing, unknown].filter(part => part !== '').join('.');
}

/** Returns the predicate for a schema error, to follow the name of its field: `is required`, `must be one of …`. */
export function schemaMessages({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not known';
  if (keyword === 'enum') return `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`;
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`;
  if (keyword === 'format' && params['format'] === 'uri') return 'must be an address (URL) such as https://example.org';
  return message ?? 'is not accepted';
}
