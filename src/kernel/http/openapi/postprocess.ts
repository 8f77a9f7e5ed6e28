import type { OpenAPIObject } from '@nestjs/swagger';
import { buildExample } from './examples.js';
import { hasType, isSchema, type OpenApiSchema, visitSchemas, nameSchemas } from './schemas.js';
import { addCommonResponses, toFailureRef, buildCommonHeaderRefs, commonParameters } from './common-responses.js';

/** Description of each tag. */
const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Accounts: 'Everything known about one person or company.',
  Attention: 'What needs attention across the workspace.',
  Changes: 'What has changed in the graph since a position.',
  Companies: 'Companies, one row each.',
  Context: 'Ranked context for a task about one person or company.',
  Dedup: 'Classification of contacts before cold outreach.',
  Entities: 'Merging and unmerging of people and companies.',
  Erasures: 'Erasure of people and their personal data.',
  Exports: 'Downloads of a workspace or of the data of one person.',
  Integrations: 'Connections to external providers, and CRM sync.',
  'Lead lists': 'Named lists of leads.',
  Leads: 'People in lead lists, with their outreach state and score.',
  Notes: 'Meeting briefs, transcripts and notes about people and companies.',
  Observations: 'Events and facts about people and companies: the source of all claims.',
  People: 'People, one row each.',
  Query: 'Queries over observations across many people and companies.',
  Runs: 'Long work of plugins, such as imports and syncs.',
  Score: 'Fit, Pain, Intent and Ability of leads.',
  Triggers: 'Webhook endpoints that receive events.',
  Verify: 'Verification of single facts.',
  'API keys': 'API keys of the workspace.',
  'Sign-in': 'Sign-in, sessions and invitations of people.',
  Members: 'People who belong to the workspace, and invitations to it.',
  Workspace: 'Profile, go-to-market facts, scoring model and trust settings of the workspace.',
};

/** Adds the tags of the operations to the document, in order of first use. */
export function addTags(document: OpenAPIObject, operations: readonly { tags?: string[] }[]): void {
  const names = new Set(operations.flatMap(({ tags }) => tags ?? []));
  document.tags = [...names].map(name => ({
    name,
    description: TAG_DESCRIPTIONS[name] ?? `Operations of the ${name} plugin.`,
  }));
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Content = Record<string, { schema?: unknown; example?: unknown; examples?: unknown }>;

const HTTP_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const COMMON_FAILURES = [400, 401, 403, 404, 429, 500, 503];

/**
 * Completes a document in place and returns it: adds the error responses and headers of every operation, the shared
 * parameters, and an example of each body, assembled from the examples of its properties.
 */
export function postprocessDocument(document: OpenAPIObject): OpenAPIObject {
  addCommonResponses(document);
  visitSchemas(document, allowAnyJson);
  nameSchemas(document);
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

/** Returns every operation of a document with its method and path. */
export function listOperations(document: OpenAPIObject): [method: string, operation: Operation, path: string][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap(method => {
      const operation = item[method];
      return operation ? [[method, operation, path] as [string, Operation, string]] : [];
    }),
  );
}

/**
 * Swagger describes a property of type `unknown` as an object without properties. Removes the type if the example is
 * not an object: such a property takes any JSON.
 */
function allowAnyJson(schema: OpenApiSchema): void {
  if (!hasType(schema, 'object') || schema['properties'] || schema['additionalProperties']) return;
  const { example } = schema;
  if (example !== undefined && example !== null && !isSchema(example)) delete schema['type'];
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
