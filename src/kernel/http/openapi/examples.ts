type Json = Record<string, unknown>;

/**
 * An example of a schema, put together from the examples of its properties. Undefined when a required part has none.
 * @param schemas the named schemas that `$ref` leads to.
 */
export function exampleOf(schema: unknown, schemas: Json): unknown {
  if (!isObject(schema)) return undefined;
  if ('example' in schema) return schema['example'];
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  if (typeof schema['$ref'] === 'string') return exampleOf(schemas[schema['$ref'].split('/').at(-1)!], schemas);
  if ('default' in schema) return schema['default'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (schema['type'] === 'array') return listExample(schema, schemas);
  if (isObject(schema['properties'])) return objectExample(schema['properties'], schema['required'], schemas);
  const choices = [schema['allOf'], schema['anyOf'], schema['oneOf']].find(Array.isArray);
  return choices && exampleOf(choices[0], schemas);
}

function listExample(schema: Json, schemas: Json): unknown {
  const item = exampleOf(schema['items'], schemas);
  return item === undefined ? undefined : [item];
}

function objectExample(properties: Json, required: unknown, schemas: Json): unknown {
  const example: Json = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = exampleOf(property, schemas);
    if (value !== undefined) example[name] = value;
    else if (Array.isArray(required) && required.includes(name)) return undefined;
  }
  return example;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
