import type { PluginManifest } from '@rapport/plugin-sdk';
import { EVENTS } from './events.js';
import { changeSchema, createSchema, pageSchema, recoverSchema, rotateSchema, testSchema } from './schemas.js';

/** Of routes whose address says it all: what stands behind its `?` is refused. */
const query = { type: 'object', additionalProperties: false, properties: {} };
const facts = { trigger_id: { type: 'string' }, host: { type: 'string' } };

/** What the hub knows of the plugin before any of its code runs. Data only. */
export default {
  id: 'triggers',
  displayName: 'Triggers',
  description: 'Tells addresses of yours when a reply, an accepted connection or a meeting lands, by signed webhooks.',
  sdk: '^1.0.0',
  minPlan: 'starter',
  icon: 'webhook',
  consumes: [...EVENTS],
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
    deliver: { attempts: 50, backoff: { type: 'exponential', delayMs: 1000 }, timeoutMs: 120_000, concurrency: 20 },
  },
  routes: {
    list: { method: 'GET', path: 'triggers', auth: 'workspace', summary: 'List triggers', query },
    create: {
      method: 'POST',
      path: 'triggers',
      auth: 'workspace',
      summary: 'Set a trigger',
      query,
      body: createSchema,
    },
    read: { method: 'GET', path: 'triggers/:id', auth: 'workspace', summary: 'Read a trigger', query },
    change: {
      method: 'PATCH',
      path: 'triggers/:id',
      auth: 'workspace',
      summary: 'Change, pause or resume a trigger',
      query,
      body: changeSchema,
    },
    remove: { method: 'DELETE', path: 'triggers/:id', auth: 'workspace', summary: 'Delete a trigger', query },
    rotate: {
      method: 'POST',
      path: 'triggers/:id/rotate-secret',
      auth: 'workspace',
      summary: 'Give a trigger a new secret',
      query,
      body: rotateSchema,
    },
    test: {
      method: 'POST',
      path: 'triggers/:id/test',
      auth: 'workspace',
      summary: 'Send a sample now',
      query,
      body: testSchema,
    },
    deliveries: {
      method: 'GET',
      path: 'triggers/:id/deliveries',
      auth: 'workspace',
      summary: 'List what was sent',
      query: pageSchema,
    },
    delivery: {
      method: 'GET',
      path: 'triggers/:id/deliveries/:delivery',
      auth: 'workspace',
      summary: 'Read a delivery with its attempts',
      query,
    },
    retry: {
      method: 'POST',
      path: 'triggers/:id/deliveries/:delivery/retry',
      auth: 'workspace',
      summary: 'Send a delivery again',
      query,
    },
    recover: {
      method: 'POST',
      path: 'triggers/:id/recover',
      auth: 'workspace',
      summary: 'Send again what failed since a date',
      query,
      body: recoverSchema,
    },
  },
} as const satisfies PluginManifest;
