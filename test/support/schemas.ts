import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Document, Schema } from './open-api.js';

/** Checks values against schemas of an OpenAPI document; gives what is wrong in words, nothing when all is well. */
export function checkerOf(document: Document): (schema: Schema, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'openapi', components: { schemas: document.components.schemas } });
  const known = new Map<Schema, ValidateFunction>();
  const compiled = (schema: Schema): ValidateFunction => {
    const found = known.get(schema) ?? ajv.compile(rebased(schema));
    known.set(schema, found);
    return found;
  };
  return (schema, value) => {
    const check = compiled(schema);
    if (check(value)) return [];
    return (check.errors ?? []).map(({ instancePath, message, params }) => {
      return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
    });
  };
}

/** A schema whose references lead into the document. */
function rebased(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as Schema;
}
