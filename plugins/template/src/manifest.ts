import type { PluginManifest } from '@rapport/plugin-sdk';

/** What the hub knows of the plugin before any of its code runs. Data only. */
export default {
  id: 'acme-dialer',
  displayName: 'Acme Dialer',
  description: 'Puts the calls of your team on the timeline of whom they were with.',
  sdk: '^1.0.0',
  minPlan: 'starter',
  icon: 'phone',
  credentials: {
    type: 'object',
    additionalProperties: false,
    required: ['api_key'],
    properties: {
      api_key: {
        type: 'string',
        title: 'API key',
        description: 'From the settings of Acme Dialer.',
        minLength: 1,
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
        title: 'Address of Acme Dialer',
        format: 'uri',
        default: 'https://api.acme-dialer.example',
      },
    },
  },
  http: { baseUrl: 'settings.api_url' },
  consumes: ['contact.imported'],
  jobs: {
    backfill: {
      data: { type: 'object', required: ['email'], properties: { email: { type: 'string' } } },
      attempts: 8,
      backoff: { type: 'exponential', delayMs: 2000 },
      timeoutMs: 60_000,
      concurrency: 2,
    },
  },
  inbound: {
    calls: {
      signature: { algorithm: 'hmac-sha256', header: 'x-acme-dialer-signature', secretFrom: 'generated' },
    },
  },
  routes: { calls: { method: 'GET', path: 'calls', auth: 'workspace', summary: 'Calls with a contact' } },
  tools: {
    acme_dialer_list_calls: { visibility: 'agent', readOnly: true, idempotent: true, destructive: false },
  },
  resources: { 'acme-dialer://calls/{email}': {} },
  prompts: { acme_dialer_prepare_call: {} },
  panels: [{ slot: 'contact', kind: 'table', title: 'Calls', source: 'calls' }],
} as const satisfies PluginManifest;
