import type { PluginManifest } from '@rapport/plugin-sdk';
import { INTERACTION_EVENTS } from './filter.js';
import { changeSchema, createSchema, pageSchema, recoverSchema, rotateSchema, testSchema } from './schemas.js';
import { responses } from './responses.js';

/** Of routes whose address says it all: what stands behind its `?` is refused. */
const query = { type: 'object', additionalProperties: false, properties: {} };
const facts = { trigger_id: { type: 'string' }, host: { type: 'string' } };

/** What the hub knows of the plugin before any of its code runs. Data only. */
export default {
  id: 'triggers',
  displayName: 'Triggers',
  description: 'Sends signed webhooks when a reply, an accepted connection or a meeting is recorded, or a sync fails.',
  sdk: '^1.0.0',
  minPlan: 'starter',
  icon: 'webhook',
  consumes: [...INTERACTION_EVENTS, 'run.failed'],
  dormant: 'endpoint:',
  emits: {
    'triggers.failing': {
      type: 'object',
      required: ['trigger_id', 'since'],
      properties: { ...facts, since: { type: 'string' } },
    },
    'triggers.disabled': {
      type: 'object',
      required: ['trigger_id', 'reason'],
      properties: { ...facts, reason: { enum: ['gone', 'failing'] } },
    },
  },
  jobs: {
    deliver: {
      data: { type: 'object', required: ['endpoint'], properties: { endpoint: { type: 'string' } } },
      attempts: 50,
      backoff: { type: 'exponential', delayMs: 1000 },
      timeoutMs: 120_000,
      concurrency: 20,
    },
  },
  routes: {
    list: {
      response: responses.list,
      method: 'GET',
      path: 'triggers',
      auth: 'workspace',
      summary: 'List webhook endpoints',
      query,
    },
    create: {
      response: responses.create,
      statuses: [201, 200],
      method: 'POST',
      path: 'triggers',
      auth: 'workspace',
      scopes: ['settings'],
      summary: 'Create a webhook endpoint',
      query,
      body: createSchema,
    },
    read: {
      response: responses.endpoint,
      method: 'GET',
      path: 'triggers/:id',
      auth: 'workspace',
      summary: 'Get a webhook endpoint',
      query,
    },
    change: {
      response: responses.endpoint,
      method: 'PATCH',
      path: 'triggers/:id',
      auth: 'workspace',
      scopes: ['settings'],
      summary: 'Update, pause or resume a webhook endpoint',
      query,
      body: changeSchema,
    },
    remove: {
      response: responses.remove,
      method: 'DELETE',
      path: 'triggers/:id',
      auth: 'workspace',
      scopes: ['settings'],
      summary: 'Delete a webhook endpoint',
      query,
    },
    rotate: {
      response: responses.rotate,
      method: 'POST',
      path: 'triggers/:id/rotate-secret',
      auth: 'workspace',
      scopes: ['settings'],
      summary: 'Rotate the signing secret of a webhook endpoint',
      query,
      body: rotateSchema,
    },
    test: {
      response: responses.test,
      method: 'POST',
      path: 'triggers/:id/test',
      auth: 'workspace',
      scopes: ['settings'],
      summary: 'Send a sample event',
      query,
      body: testSchema,
    },
    deliveries: {
      response: responses.deliveries,
      method: 'GET',
      path: 'triggers/:id/deliveries',
      auth: 'workspace',
      summary: 'List deliveries of a webhook endpoint',
      query: pageSchema,
    },
    delivery: {
      response: responses.delivery,
      method: 'GET',
      path: 'triggers/:id/deliveries/:delivery',
      auth: 'workspace',
      summary: 'Get a delivery and its attempts',
      query,
    },
    retry: {
      response: responses.retry,
      statuses: [202],
      method: 'POST',
      path: 'triggers/:id/deliveries/:delivery/retry',
      auth: 'workspace',
      summary: 'Resend a delivery',
      query,
    },
    recover: {
      response: responses.recover,
      statuses: [202],
      method: 'POST',
      path: 'triggers/:id/recover',
      auth: 'workspace',
      summary: 'Resend deliveries that failed since a time',
      query,
      body: recoverSchema,
    },
  },
} as const satisfies PluginManifest;
