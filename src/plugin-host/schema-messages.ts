import type { ErrorObject } from 'ajv/dist/2020.js';

/** The field that an error is about, also one that is missing or not known there; empty for the whole value. */
export function toFieldPath({ instancePath, keyword, params }: ErrorObject): string {
  const inside = instancePath.slice(1).replaceAll('/', '.');
  const missing = keyword === 'required' ? String(params['missingProperty']) : '';
  const unknown = keyword === 'additionalProperties' ? String(params['additionalProperty']) : '';
  return [inside, missing, unknown].filter(part => part !== '').join('.');
}

/** What a value should be that does not fit a schema, as what follows the name of its field: what mends it included. */
export function schemaMessages({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not known';
  if (keyword === 'enum') return `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`;
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`;
  if (keyword === 'format' && params['format'] === 'uri') return 'must be an address (URL) such as https://example.org';
  return message ?? 'is not accepted';
}
