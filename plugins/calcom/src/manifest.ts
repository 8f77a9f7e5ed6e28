import type { PluginManifest } from '@rapport/plugin-sdk';

const MINUTE = 60_000;
/** Of routes whose address says it all: what stands behind its `?` is refused. */
const query = { type: 'object', additionalProperties: false, properties: {} };

/** What the hub knows of the plugin before any of its code runs. Data only. */
export default {
  id: 'calcom',
  displayName: 'Cal.com',
  description: 'Logs the bookings of your team on the timelines of whom they are with.',
  sdk: '^1.0.0',
  minPlan: 'starter',
  icon: 'calendar',
  docsUrl: 'https://cal.com/docs/api-reference/v2/introduction',
  credentials: {
    type: 'object',
    additionalProperties: false,
    required: ['api_key'],
    properties: {
      api_key: {
        type: 'string',
        title: 'API key',
        description: 'From Cal.com: Settings, Developer, API keys. It sees the bookings of the user who made it.',
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
      api_url: {
        type: 'string',
        title: 'Address of the Cal.com API',
        description: 'Another one for a Cal.com that you host yourself.',
        format: 'uri',
        maxLength: 500,
        default: 'https://api.cal.com',
      },
    },
  },
  consumes: ['contact.imported'],
  jobs: {
    backfill: { attempts: 20, backoff: { type: 'exponential', delayMs: 1000 }, timeoutMs: 4 * MINUTE },
    enumerate: { attempts: 12, backoff: { type: 'exponential', delayMs: 1000 }, timeoutMs: MINUTE },
    reconcile: {
      attempts: 6,
      backoff: { type: 'exponential', delayMs: 5000 },
      timeoutMs: 4 * MINUTE,
      concurrency: 4,
      everyMs: 10 * MINUTE,
    },
  },
  inbound: {
    bookings: {
      signature: { algorithm: 'hmac-sha256', header: 'x-cal-signature-256', secretFrom: 'generated' },
    },
  },
  routes: {
    backfill: {
      method: 'POST',
      path: 'backfill',
      auth: 'workspace',
      summary: 'Start adding the past bookings of a contact, or of all contacts',
      query,
      body: {
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        examples: [{ focus: 'ada@example.org' }, { all: true }],
        maxProperties: 1,
        properties: {
          focus: { type: 'string', minLength: 1, maxLength: 500, description: 'Id, e-mail address or LinkedIn URL.' },
          all: { const: true, description: 'Everybody who has an e-mail address.' },
        },
      },
    },
    progress: {
      method: 'GET',
      path: 'backfill/:id',
      auth: 'workspace',
      summary: 'How far adding past bookings is; the id of an import is one as well',
      query,
    },
    bookings: {
      method: 'GET',
      path: 'bookings',
      auth: 'workspace',
      summary: 'Bookings with a contact, as Cal.com has them',
      query: {
        type: 'object',
        additionalProperties: false,
        required: ['focus'],
        properties: {
          focus: {
            type: 'string',
            minLength: 1,
            maxLength: 500,
            description: 'Id, e-mail address, LinkedIn URL or name.',
          },
        },
      },
    },
  },
  tools: {
    calcom_list_bookings: { visibility: 'agent', readOnly: true, idempotent: true, destructive: false },
  },
  panels: [{ slot: 'contact', kind: 'table', title: 'Bookings', source: 'bookings' }],
} as const satisfies PluginManifest;
