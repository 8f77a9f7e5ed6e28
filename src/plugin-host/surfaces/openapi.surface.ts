import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { RouteManifest } from '#sdk/manifest/manifest.js';
import { DocsService } from '#kernel/http/openapi/docs.service.js';
import { PluginRegistry, type ReadyPlugin } from '../host/plugin.registry.js';
import type { PluginSurface } from './plugin-surface.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** Adds the routes of running plugins to the OpenAPI document. */
@Injectable()
export class OpenApiSurface implements PluginSurface {
  constructor(
    private readonly docs: DocsService,
    registry: PluginRegistry,
  ) {
    docs.addExtension(document => registry.listReady().forEach(plugin => addRoutes(plugin, document)));
  }

  open(): void {
    this.docs.invalidate();
  }

  close(): void {
    this.docs.invalidate();
  }
}

const CONNECTION_PARAMETER = {
  name: 'connection_id',
  in: 'query',
  required: false,
  description: 'Connection to use. Required if the workspace has several; without it the call is then 409.',
  schema: { type: 'string', format: 'uuid' },
};

function addRoutes(plugin: ReadyPlugin, document: OpenAPIObject): void {
  for (const [name, route] of Object.entries(plugin.manifest.routes ?? {})) {
    const path = `/v2/plugins/${plugin.id}/${route.path.replaceAll(/:(\w+)/g, '{$1}')}`;
    const method = route.method.toLowerCase();
    document.paths[path] = { ...document.paths[path], [method]: toOperation(plugin, name, route) };
  }
}

function toOperation({ id, manifest }: ReadyPlugin, name: string, route: RouteManifest): Operation {
  const plan = route.minPlan ?? manifest.minPlan;
  const operation = {
    operationId: `${id}.${name}`.replaceAll(/[-_.](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [manifest.displayName],
    summary: route.summary ?? `${manifest.displayName}: ${name}`,
    description:
      `${route.summary ?? name}. Provided by the ${manifest.displayName} plugin on the plan ${plan} and above. ` +
      'Returns 404 `not_found` if the plugin is not installed or the plan does not include it.',
    parameters: [
      ...toPathParameters(route),
      ...toQueryParameters(route),
      ...(manifest.multipleConnections ? [CONNECTION_PARAMETER] : []),
    ],
    responses: toResponses(route),
    ...toRequestBody(route),
  };
  return operation as Operation;
}

/** Returns the responses of success. A route that declares none may return any JSON. */
function toResponses({ response = {}, statuses = [200] }: RouteManifest): object {
  const entries = statuses.map(status => {
    const media = { schema: response, ...('type' in response ? {} : { example: {} }) };
    return [status, { description: 'The response of the plugin.', content: { 'application/json': media } }] as const;
  });
  return Object.fromEntries(entries);
}

function toPathParameters({ path }: RouteManifest): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `Identifier in the path: ${name}.`,
    schema: { type: 'string', maxLength: 2048, pattern: '^[^/]+$' },
  }));
}

function toQueryParameters({ query }: RouteManifest): object[] {
  const required = (query?.['required'] ?? []) as readonly string[];
  const fields = Object.entries((query?.['properties'] ?? {}) as Record<string, { description?: string }>);
  return fields.map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function toRequestBody({ body, upload }: RouteManifest): object {
  if (upload) {
    const schema = { type: 'string', format: 'binary', maxLength: upload.maxBytes };
    const form = {
      type: 'object',
      required: ['file'],
      properties: { file: { ...schema, description: 'The file; further fields stand before it.' } },
    };
    const content = Object.fromEntries(upload.contentTypes.map(type => [type, { schema }]));
    return { requestBody: { required: true, content: { ...content, 'multipart/form-data': { schema: form } } } };
  }
  if (!body) return {};
  const [example] = (body['examples'] ?? []) as readonly unknown[];
  const media = { schema: body, ...(example !== undefined && { example }) };
  return { requestBody: { required: true, content: { 'application/json': media } } };
}
