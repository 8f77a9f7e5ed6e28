import type { ErrorObject } from 'ajv/dist/2020.js';

/** What a value should be that does not fit a schema, as what follows the name of its field: what mends it included. */
export function schemaWords({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'enum') return `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`;
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`;
  if (keyword === 'format' && params['format'] === 'uri') return 'must be an address (URL) such as https://example.org';
  return message ?? 'is not accepted';
}
