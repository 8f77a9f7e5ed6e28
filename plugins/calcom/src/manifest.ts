import type { PluginManifest } from '@rapport/plugin-sdk';

const MINUTE = 60_000;
/** Of routes whose address says it all: what stands behind its `?` is refused. */
const query = { type: 'object', additionalProperties: false, properties: {} };

const count = (description: string) => ({ type: 'integer', minimum: 0, description });

/** The response about an import of past bookings. */
const progress = {
  type: 'object',
  required: ['id', 'status', 'contacts_done', 'contacts_failed', 'contacts_waiting', 'activities'],
  properties: {
    id: {
      type: 'string',
      description: 'Unique identifier of the import.',
      examples: ['01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17'],
    },
    status: { enum: ['running', 'done'], description: 'Whether the import is still running.' },
    contacts_done: count('Number of contacts whose bookings were imported.'),
    contacts_failed: count('Number of contacts whose bookings could not be read.'),
    contacts_waiting: count('Number of contacts that are still to do.'),
    activities: count('Number of bookings recorded on timelines.'),
  },
};

/** The bookings with a contact, as a table for display. */
const bookingTable = {
  type: 'object',
  required: ['kind', 'columns', 'rows'],
  properties: {
    kind: { const: 'table', description: 'Kind of the panel, always `table`.' },
    columns: {
      type: 'array',
      description: 'Columns of the table, in order.',
      items: {
        type: 'object',
        required: ['key', 'label'],
        properties: {
          key: { type: 'string', description: 'Field of a row that the column shows.', examples: ['start'] },
          label: { type: 'string', description: 'Heading of the column, for display.', examples: ['When'] },
          type: { type: 'string', description: 'How values are displayed, such as `time`.', examples: ['time'] },
        },
      },
    },
    rows: {
      type: 'array',
      description: 'Bookings, latest first, at most 200.',
      items: {
        type: 'object',
        required: ['start', 'title', 'status', 'host'],
        properties: {
          start: {
            type: 'string',
            description: 'Start of the booking, ISO 8601.',
            examples: ['2026-11-20T09:30:00.000Z'],
          },
          title: { type: ['string', 'null'], description: 'Title of the booking. Null if it has none.' },
          status: { type: 'string', description: 'Status of the booking, such as `accepted`.', examples: ['accepted'] },
          host: { type: ['string', 'null'], description: 'Host of the booking. Null if unknown.' },
        },
      },
    },
  },
};

/** What the hub knows of the plugin before any of its code runs. Data only. */
export default {
  id: 'calcom',
  displayName: 'Cal.com',
  description: 'Logs the Cal.com bookings of your team on the timelines of the attendees.',
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
        description:
          'API key from Cal.com: Settings, Developer, API keys. It has access to the bookings of the user who created it.',
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
        description: 'API address of a self-hosted Cal.com. Default: that of Cal.com itself.',
        format: 'uri',
        maxLength: 500,
        default: 'https://api.cal.com',
      },
    },
  },
  consumes: ['contact.imported'],
  // Of the hosted service, for an API key.
  http: { baseUrl: 'settings.api_url', limits: [{ requests: 120, perMs: MINUTE, atOnce: 60 }] },
  jobs: {
    backfill: {
      data: { type: 'object', required: ['turn'], properties: { turn: { type: 'integer' } } },
      attempts: 20,
      backoff: { type: 'exponential', delayMs: 1000 },
      timeoutMs: 4 * MINUTE,
    },
    enumerate: {
      data: {
        type: 'object',
        required: ['run', 'after'],
        properties: { run: { type: 'string' }, after: { type: 'string' } },
      },
      attempts: 12,
      backoff: { type: 'exponential', delayMs: 1000 },
      timeoutMs: MINUTE,
    },
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
      response: progress,
      statuses: [202],
      method: 'POST',
      path: 'backfill',
      auth: 'workspace',
      summary: 'Start importing past bookings of one contact or of all contacts',
      query,
      body: {
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        examples: [{ focus: 'ada@example.org' }, { all: true }],
        maxProperties: 1,
        properties: {
          focus: {
            type: 'string',
            minLength: 1,
            maxLength: 500,
            description: 'Contact whose bookings to import: entity ID, e-mail address or LinkedIn URL.',
          },
          all: {
            const: true,
            description: 'Set to true to import the bookings of every contact with an e-mail address.',
          },
        },
      },
    },
    progress: {
      response: progress,
      method: 'GET',
      path: 'backfill/:id',
      auth: 'workspace',
      summary: 'Get the progress of an import of past bookings',
      query,
    },
    bookings: {
      response: bookingTable,
      method: 'GET',
      path: 'bookings',
      auth: 'workspace',
      summary: 'List the bookings with a contact',
      query: {
        type: 'object',
        additionalProperties: false,
        required: ['focus'],
        properties: {
          focus: {
            type: 'string',
            minLength: 1,
            maxLength: 500,
            description: 'Contact: entity ID, e-mail address, LinkedIn URL or name.',
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
