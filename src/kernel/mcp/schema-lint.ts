import type { JsonSchema } from '#sdk/schema.js';

/** Keywords whose values are data, not schemas. */
const DATA_KEYWORDS = new Set(['const', 'default', 'enum', 'examples']);

/**
 * Returns the reasons why clients would reject a tool's schema; empty if they would not. One such schema makes
 * several clients drop the whole tool list silently, so a tool with one is never listed.
 */
export function lintSchema(schema: JsonSchema): string[] {
  const faults: string[] = [];
  if (schema['type'] !== 'object') faults.push('its root must have type "object"');
  for (const combinator of ['anyOf', 'oneOf', 'allOf']) {
    if (!(combinator in schema)) continue;
    faults.push(`its root must not use ${combinator}; describe the variants inside a property`);
  }
  return [...faults, ...lintNested(schema)];
}

function lintNested(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(lintNested);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (typeof value === 'string') return lintKeyword(key, value);
    return DATA_KEYWORDS.has(key) ? [] : lintNested(value);
  });
}

function lintKeyword(key: string, value: string): string[] {
  if ((key === '$ref' || key === '$dynamicRef') && !value.startsWith('#')) {
    return [`${key} must stay inside the schema ("#/$defs/…"), not point to "${value}"`];
  }
  if (key !== 'x-mcp-header') return [];
  return ['x-mcp-header is not supported: it would copy arguments into HTTP headers'];
}
