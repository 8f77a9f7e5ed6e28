import type { OpenAPIObject } from '@nestjs/swagger';
import { exampleOf } from './examples.js';
import { stateImpliedLimits } from './implied.limits.js';
import { eachSchema } from './schemas.js';
import { addSharedAnswers, failureRef, sharedHeaders } from './shared.answers.js';
import { sharedParameters } from './shared.parameters.js';
import { listTags } from './tags.js';
import { meaningOf, stateMeaning } from './words.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Content = Record<string, { schema?: unknown; example?: unknown; examples?: unknown }>;

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const always = [400, 401, 403, 404, 429, 500, 503];

/**
 * Adds to a document what no controller should have to say: the failures and headers of every operation, what shared
 * parameters mean, limits that follow from types, and an example of each body, put together from the examples of its
 * properties. Changes the document and gives it back.
 */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  addSharedAnswers(document);
  eachSchema(document, (schema, name) => {
    stateMeaning(schema, name);
    stateImpliedLimits(schema);
  });
  const schemas = document.components?.schemas ?? {};
  const operations = operationsOf(document);
  listTags(
    document,
    operations.map(([, operation]) => operation),
  );
  for (const [method, operation] of operations) {
    for (const parameter of operation.parameters ?? []) {
      if (!('name' in parameter)) continue;
      Object.assign(parameter, sharedParameters[parameter.name]);
      parameter.description ??= meaningOf(parameter.name);
    }
    addExamples(operation, schemas);
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response && status.startsWith('2'))
        Object.assign(response, { headers: { ...sharedHeaders(), ...headersOf(response) } });
    }
    for (const status of failuresOf(method, operation)) operation.responses[status] ??= failureRef(status);
  }
  return document;
}

/** Every operation of a document with its method. */
export function operationsOf(document: OpenAPIObject): [method: string, operation: Operation, path: string][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap(method => {
      const operation = item[method];
      return operation ? [[method, operation, path] as [string, Operation, string]] : [];
    }),
  );
}

function failuresOf(method: string, { requestBody, security }: Operation): number[] {
  const open = security?.length === 0;
  const common = open ? always.filter(status => status !== 401 && status !== 403) : always;
  return [...common, ...(method === 'get' ? [] : [409]), ...(requestBody ? [413, 415] : [])];
}

function addExamples({ requestBody, responses }: Operation, schemas: Record<string, unknown>): void {
  for (const place of [requestBody, ...Object.values(responses)]) {
    const content = place && 'content' in place ? (place.content as Content | undefined) : undefined;
    for (const media of Object.values(content ?? {})) {
      if (media.example !== undefined || media.examples !== undefined) continue;
      const example = exampleOf(media.schema, schemas);
      if (example !== undefined) media.example = example;
    }
  }
}

function headersOf(response: object): object {
  return 'headers' in response && typeof response.headers === 'object' ? (response.headers ?? {}) : {};
}
