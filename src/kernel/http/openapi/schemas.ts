import type { OpenAPIObject } from '@nestjs/swagger';

/** A JSON schema as it stands in a document. */
export type OpenApiSchema = Record<string, unknown>;

/** @param name of the property or parameter that the schema describes; undefined where it describes none. */
type VisitSchema = (schema: OpenApiSchema, name?: string) => void;

/** Where one schema holds others by name, several, or one. */
const MAP_KEYWORDS = ['properties', 'patternProperties', '$defs'];
const LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SINGLE_KEYWORDS = ['items', 'additionalProperties', 'not', 'contains'];

/** Goes through every schema of a document: those of components, parameters and bodies, and those inside of them. */
export function visitSchemas(document: OpenAPIObject, visit: VisitSchema): void {
  for (const schema of Object.values(document.components?.schemas ?? {})) visitSchema(schema, visit);
  visitNonSchema(document.paths, visit);
  visitNonSchema(document.components?.headers, visit);
}

/** Whether a schema allows values of a type. */
export function hasType({ type }: OpenApiSchema, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

/** What is an object and no list. */
export function isSchema(value: unknown): value is OpenApiSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Looks for schemas in parts of the document that are none; examples are data and not looked into. */
function visitNonSchema(node: unknown, visit: VisitSchema): void {
  if (Array.isArray(node)) return node.forEach(held => visitNonSchema(held, visit));
  if (!isSchema(node)) return;
  for (const [key, held] of Object.entries(node)) {
    if (key === 'schema') visitSchema(held, visit, typeof node['name'] === 'string' ? node['name'] : undefined);
    else if (key !== 'example' && key !== 'examples') visitNonSchema(held, visit);
  }
}

function visitSchema(schema: unknown, visit: VisitSchema, name?: string): void {
  if (!isSchema(schema)) return;
  visit(schema, name);
  for (const key of MAP_KEYWORDS) {
    const held = schema[key];
    if (isSchema(held)) for (const [property, inner] of Object.entries(held)) visitSchema(inner, visit, property);
  }
  for (const key of LIST_KEYWORDS)
    if (Array.isArray(schema[key])) for (const inner of schema[key]) visitSchema(inner, visit, name);
  for (const key of SINGLE_KEYWORDS) visitSchema(schema[key], visit);
}

const SUFFIX = /Dto$/;
const REF_PREFIX = '#/components/schemas/';

/**
 * Names the schemas of a document after the things they describe, in place: drops the suffix `Dto` of their classes.
 * @throws Error if two schemas would have the same name
 */
export function nameSchemas(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  const renamed: typeof schemas = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const publicName = name.replace(SUFFIX, '');
    if (publicName in renamed) throw new Error(`two schemas of the OpenAPI document are named ${publicName}`);
    renamed[publicName] = schema;
  }
  if (document.components) document.components.schemas = renamed;
  renameRefs(document);
}

function renameRefs(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(renameRefs);
  if (!isSchema(node)) return;
  for (const [key, held] of Object.entries(node)) {
    if (key === '$ref' && typeof held === 'string' && held.startsWith(REF_PREFIX)) node[key] = held.replace(SUFFIX, '');
    else renameRefs(held);
  }
}
