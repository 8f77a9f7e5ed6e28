import type { PluginManifest } from '@rapport/plugin-sdk';
import { fieldsResponse, recordResponse, startBody, startResponse, statusResponse } from './schemas.js';

const MINUTE_MS = 60_000;
const query = { type: 'object', additionalProperties: false, properties: {} };

/** What the hub knows of the plugin before any of its code runs. Data only. */
export default {
  id: 'crm',
  displayName: 'CRM sync',
  description: 'Reads the contacts, companies and deals of your CRM into the graph, and keeps them up to date.',
  sdk: '^1.0.0',
  minPlan: 'growth',
  icon: 'refresh-cw',
  docsUrl: 'https://developers.hubspot.com/docs/apps/legacy-apps/private-apps/overview',
  credentials: {
    type: 'object',
    additionalProperties: false,
    required: ['access_token'],
    properties: {
      access_token: {
        type: 'string',
        title: 'Access token',
        description:
          'HubSpot: access token of a private app that may read contacts, companies, deals, their schemas, and owners.',
        minLength: 1,
        maxLength: 500,
        secret: true,
      },
    },
  },
  settings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      provider: { type: 'string', title: 'CRM', enum: ['hubspot'], default: 'hubspot' },
      direction: {
        type: 'string',
        title: 'Direction',
        description: '`pull` reads from the CRM; nothing is written there.',
        enum: ['pull'],
        default: 'pull',
      },
      auto_sync: {
        type: 'boolean',
        title: 'Sync automatically',
        description: 'Reads what changed in the CRM every 10 minutes.',
        default: false,
      },
      objects: {
        type: 'array',
        title: 'Objects',
        description: 'What is read.',
        items: { type: 'string', enum: ['companies', 'contacts', 'deals'] },
        uniqueItems: true,
        default: ['companies', 'contacts', 'deals'],
      },
      create: {
        type: 'boolean',
        title: 'Create people and companies',
        description:
          'Whether records that the graph does not know yet are added. Otherwise known ones are updated only.',
        default: true,
      },
      field_map: {
        type: 'object',
        title: 'Fields',
        description:
          'Properties of people, or `companies.<property>`, with the field of the CRM that states them. Added to the ' +
          'standard fields; null leaves one out.',
        additionalProperties: { type: ['string', 'null'], maxLength: 100 },
        default: {},
      },
      filters: {
        type: 'object',
        title: 'Filters',
        description: 'Fields of contacts with the values that they must have; other contacts are not read.',
        additionalProperties: { type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: 100 },
        default: {},
      },
      api_url: {
        type: 'string',
        title: 'Address of the API',
        description: 'Address of HubSpot, or of a proxy before it.',
        format: 'uri',
        maxLength: 500,
        default: 'https://api.hubapi.com',
      },
    },
  },
  http: {
    baseUrl: 'settings.api_url',
    auth: { credential: 'access_token' },
    limits: [
      { requests: 100, perMs: 10_000, atOnce: 20 },
      { requests: 4, perMs: 1_000, atOnce: 1, paths: ['/crm/v3/objects/*/search'] },
    ],
  },
  jobs: { schedule: { attempts: 3, everyMs: 10 * MINUTE_MS } },
  runs: {
    sync: {
      title: 'Sync the CRM',
      description: 'Reads records of the CRM and records what they state. A dry run only counts and shows examples.',
      sync: true,
      stepTimeoutMs: 2 * MINUTE_MS,
      input: startBody,
    },
  },
  routes: {
    sync: {
      method: 'POST',
      path: 'sync',
      auth: 'workspace',
      summary: 'Start a sync of the CRM or its dry run',
      query,
      body: startBody,
      response: startResponse,
      statuses: [202],
    },
    status: {
      method: 'GET',
      path: 'status',
      auth: 'workspace',
      summary: 'Get the state of the CRM sync',
      query,
      response: statusResponse,
    },
    record: {
      method: 'GET',
      path: 'records/:object/:id',
      auth: 'workspace',
      summary: 'Get the state of one CRM record',
      query,
      response: recordResponse,
    },
    fields: {
      method: 'GET',
      path: 'fields/:object',
      auth: 'workspace',
      summary: 'List the fields of the CRM and what they state',
      query,
      response: fieldsResponse,
    },
  },
} as const satisfies PluginManifest;
