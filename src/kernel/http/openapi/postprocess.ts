import type { OpenAPIObject } from '@nestjs/swagger';
import { buildExample } from './examples.js';
import { addSchemaBounds } from './schema-bounds.js';
import { visitSchemas } from './schemas.js';
import { addCommonResponses, toFailureRef, buildCommonHeaderRefs } from './common-responses.js';
import { commonParameters } from './common-parameters.js';
import { addTags } from './tags.js';
import { findFieldDescription, addFieldDescription } from './field-descriptions.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Content = Record<string, { schema?: unknown; example?: unknown; examples?: unknown }>;

const HTTP_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const COMMON_FAILURES = [400, 401, 403, 404, 429, 500, 503];

/**
 * Adds to a document what no controller should have to say: the failures and headers of every operation, what shared
 * parameters mean, limits that follow from types, and an example of each body, put together from the examples of its
 * properties. Changes the document and gives it back.
 */
export function postprocessDocument(document: OpenAPIObject): OpenAPIObject {
  addCommonResponses(document);
  visitSchemas(document, (schema, name) => {
    addFieldDescription(schema, name);
    addSchemaBounds(schema);
  });
  const schemas = document.components?.schemas ?? {};
  const operations = listOperations(document);
  addTags(
    document,
    operations.map(([, operation]) => operation),
  );
  for (const [method, operation] of operations) {
    for (const parameter of operation.parameters ?? []) {
      if (!('name' in parameter)) continue;
      Object.assign(parameter, commonParameters[parameter.name]);
      parameter.description ??= findFieldDescription(parameter.name);
    }
    addExamples(operation, schemas);
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response && status.startsWith('2'))
        Object.assign(response, { headers: { ...buildCommonHeaderRefs(), ...headersOf(response) } });
    }
    for (const status of listFailureStatuses(method, operation)) operation.responses[status] ??= toFailureRef(status);
  }
  return document;
}

/** Every operation of a document with its method. */
export function listOperations(document: OpenAPIObject): [method: string, operation: Operation, path: string][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap(method => {
      const operation = item[method];
      return operation ? [[method, operation, path] as [string, Operation, string]] : [];
    }),
  );
}

function listFailureStatuses(method: string, { requestBody, security }: Operation): number[] {
  const open = security?.length === 0;
  const common = open ? COMMON_FAILURES.filter(status => status !== 401 && status !== 403) : COMMON_FAILURES;
  return [...common, ...(method === 'get' ? [] : [409]), ...(requestBody ? [413, 415] : [])];
}

function addExamples({ requestBody, responses }: Operation, schemas: Record<string, unknown>): void {
  for (const place of [requestBody, ...Object.values(responses)]) {
    const content = place && 'content' in place ? (place.content as Content | undefined) : undefined;
    for (const media of Object.values(content ?? {})) {
      if (media.example !== undefined || media.examples !== undefined) continue;
      const example = buildExample(media.schema, schemas);
      if (example !== undefined) media.example = example;
    }
  }
}

function headersOf(response: object): object {
  return 'headers' in response && typeof response.headers === 'object' ? (response.headers ?? {}) : {};
}
