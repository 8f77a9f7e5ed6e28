import { hasType, isSchema, type OpenApiSchema } from './schemas.js';

/** Examples of what has no example of its own and may not be left out, by format. */
const EXAMPLE_BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17',
  'date-time': '2026-11-20T09:30:00.000000Z',
  date: '2026-11-20',
};

/**
 * An example of a schema, put together from the examples of its properties. Undefined when a required part has none.
 * @param schemas the named schemas that `$ref` leads to.
 */
export function buildExample(schema: unknown, schemas: OpenApiSchema): unknown {
  if (!isSchema(schema)) return undefined;
  if ('example' in schema) return schema['example'];
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  if (typeof schema['$ref'] === 'string') return buildExample(schemas[schema['$ref'].split('/').at(-1)!], schemas);
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (schema['type'] === 'array') return buildListExample(schema, schemas);
  if (isSchema(schema['properties'])) return buildObjectExample(schema['properties'], schema['required'], schemas);
  const choices = [schema['allOf'], schema['anyOf'], schema['oneOf']].find(Array.isArray);
  return choices && buildExample(choices[0], schemas);
}

function buildListExample(schema: OpenApiSchema, schemas: OpenApiSchema): unknown {
  const item = buildExample(schema['items'], schemas);
  return item === undefined ? undefined : [item];
}

function buildObjectExample(properties: OpenApiSchema, required: unknown, schemas: OpenApiSchema): unknown {
  const example: OpenApiSchema = {};
  for (const [name, property] of Object.entries(properties)) {
    const needed = Array.isArray(required) && required.includes(name);
    const given = buildExample(property, schemas);
    const value = given === undefined && needed ? buildImpliedExample(property) : given;
    if (value !== undefined) example[name] = value;
    else if (needed) return undefined;
  }
  return example;
}

/** What is true of a type alone: null where it may be, an empty list or object, a moment. */
function buildImpliedExample(schema: unknown): unknown {
  if (!isSchema(schema)) return undefined;
  if (hasType(schema, 'null')) return null;
  if (schema['type'] === 'boolean') return false;
  if (schema['type'] === 'array') return [];
  if (schema['type'] === 'object') return {};
  if (schema['type'] === 'integer') return Math.max(1, Number(schema['minimum'] ?? 1));
  return EXAMPLE_BY_FORMAT[String(schema['format'])];
}
