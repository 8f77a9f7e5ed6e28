import {
  inboundSchema,
  httpSchema,
  jobSchema,
  resourceSchema,
  panelSchema,
  routeSchema,
  runSchema,
  toolSchema,
} from './manifest.schema.parts.js';
import { oauth2Schema } from './oauth2.schema.js';
import type { JsonSchema } from '../schema.js';

const name = { type: 'string', pattern: '^[a-z][a-z0-9_-]{0,39}$' };
const eventName = { type: 'string', pattern: '^[a-z][a-z0-9-]*(\\.[a-z][a-z0-9_]*)+$', maxLength: 120 };

const toolName = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,47}$' };
const resourceUri = {
  type: 'string',
  pattern: '^[a-z][a-z0-9.+-]*://[^\\s{}]*(\\{\\w+\\}[^\\s{}]*)*$',
  maxLength: 200,
};

/** Returns the schema of a JSON Schema of an object within the manifest. */
const objectSchema = (description: string) => ({
  type: 'object',
  description,
  required: ['type'],
  properties: {
    type: { const: 'object', description: 'The schema must describe an object.' },
    properties: {
      type: 'object',
      description: 'The fields.',
      additionalProperties: { type: 'object', description: 'One field.' },
    },
  },
});

/** Returns the schema of a map by name with at most 50 entries. */
const byName = (description: string, schema: object, propertyNames: object = name) => ({
  type: 'object',
  description,
  maxProperties: 50,
  propertyNames,
  additionalProperties: schema,
});

/**
 * The JSON Schema (draft 2020-12) of `PluginManifest`, also published as `manifest.schema.json`. The hub rejects a
 * manifest that does not match it.
 * @example new Ajv2020().validate(manifestSchema, manifest)
 */
export const manifestSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Rapport plugin manifest',
  description: 'Describes a plugin as data.',
  type: 'object',
  additionalProperties: false,
  required: ['id', 'displayName', 'description', 'sdk', 'minPlan'],
  properties: {
    $schema: { type: 'string', description: 'For editors; ignored.' },
    id: {
      type: 'string',
      description: 'Identifies the queue, store, routes and events of the plugin, and prefixes the names of its tools.',
      pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
      maxLength: 40,
      examples: ['acme-dialer'],
    },
    displayName: { type: 'string', description: 'The name shown to users.', minLength: 1, maxLength: 60 },
    description: {
      type: 'string',
      description: 'One sentence about what connecting the plugin does.',
      minLength: 1,
      maxLength: 300,
    },
    sdk: {
      type: 'string',
      description: 'Versions of @rapport/plugin-sdk that the plugin was written for, as a semver range.',
      minLength: 1,
      maxLength: 60,
      examples: ['^1.0.0'],
    },
    minPlan: { enum: ['starter', 'growth', 'scale'], description: 'Lowest plan that may enable the plugin.' },
    icon: {
      type: 'string',
      description: 'An image as a data: URL, or the name of a lucide icon.',
      pattern: '^(data:image/(png|svg\\+xml|webp);base64,[A-Za-z0-9+/=]+|[a-z][a-z0-9-]*)$',
      maxLength: 20_000,
    },
    docsUrl: {
      type: 'string',
      description: 'Address of the user documentation.',
      pattern: '^https://',
      maxLength: 2000,
    },
    credentials: objectSchema('Credentials of a connection; "secret": true marks secret fields.'),
    multipleConnections: { type: 'boolean', description: 'Whether a workspace may have several connections.' },
    settings: objectSchema('Settings of a connection, with a default for each field.'),
    http: httpSchema,
    oauth2: oauth2Schema,
    jobs: byName('Background jobs, each with one @OnJob.', jobSchema),
    runs: byName('Long work in steps, each with one @OnRun.', runSchema),
    consumes: {
      type: 'array',
      description: 'Events that the plugin consumes, each with one @OnEvent or @OnEvents.',
      uniqueItems: true,
      maxItems: 50,
      items: { ...eventName, description: 'Name of an event.' },
    },
    dormant: {
      type: ['boolean', 'string'],
      minLength: 1,
      maxLength: 200,
      description: 'Deliver events only if the plugin has an entry in its store; a string is a prefix of the key.',
    },
    emits: byName(
      'Events that the plugin publishes, named <id>.<what_happened>, each with the schema of its payload.',
      objectSchema('The payload.'),
      eventName,
    ),
    inbound: byName('Webhooks from the provider, each with one @OnInbound.', inboundSchema),
    routes: byName('Routes below /v2/plugins/<id>/, each with one @OnRoute.', routeSchema),
    tools: byName('Tools for agents by full name, each with one @McpTool.', toolSchema, toolName),
    resources: byName('Resources by URI, each with one @McpResource.', resourceSchema, resourceUri),
    prompts: byName('Prompts by full name, each with one @McpPrompt.', resourceSchema, toolName),
    page: { const: 'sync', description: 'A page of its own in the console, like that of the CRM sync.' },
    panels: {
      type: 'array',
      description: 'Panels that the console shows for the plugin.',
      maxItems: 10,
      items: panelSchema,
    },
  },
};
