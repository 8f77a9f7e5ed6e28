import type { OpenAPIObject } from '@nestjs/swagger';

/** A JSON schema as it stands in a document. */
export type Schema = Record<string, unknown>;

/** @param name of the property or parameter that the schema describes; undefined where it describes none. */
type Visit = (schema: Schema, name?: string) => void;

/** Where one schema holds others by name, several, or one. */
const byName = ['properties', 'patternProperties', '$defs'];
const several = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const one = ['items', 'additionalProperties', 'not', 'contains'];

/** Goes through every schema of a document: those of components, parameters and bodies, and those inside of them. */
export function eachSchema(document: OpenAPIObject, visit: Visit): void {
  for (const schema of Object.values(document.components?.schemas ?? {})) within(schema, visit);
  outside(document.paths, visit);
  outside(document.components?.headers, visit);
}

/** Whether a schema allows values of a type. */
export function isOf({ type }: Schema, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

/** What is an object and no list. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Looks for schemas in parts of the document that are none; examples are data and not looked into. */
function outside(node: unknown, visit: Visit): void {
  if (Array.isArray(node)) return node.forEach(held => outside(held, visit));
  if (!isSchema(node)) return;
  for (const [key, held] of Object.entries(node)) {
    if (key === 'schema') within(held, visit, typeof node['name'] === 'string' ? node['name'] : undefined);
    else if (key !== 'example' && key !== 'examples') outside(held, visit);
  }
}

function within(schema: unknown, visit: Visit, name?: string): void {
  if (!isSchema(schema)) return;
  visit(schema, name);
  for (const key of byName) {
    const held = schema[key];
    if (isSchema(held)) for (const [property, inner] of Object.entries(held)) within(inner, visit, property);
  }
  for (const key of several)
    if (Array.isArray(schema[key])) for (const inner of schema[key]) within(inner, visit, name);
  for (const key of one) within(schema[key], visit);
}
