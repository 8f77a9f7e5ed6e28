import type { OpenAPIObject } from '@nestjs/swagger';
import { isSchema } from './schemas.js';

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
