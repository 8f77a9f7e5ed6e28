import { type PluginManifest, syncPage } from '@rapport/plugin-sdk';
import { recordResponse, runInput } from './schemas.js';

const MINUTE_MS = 60_000;
const query = { type: 'object', additionalProperties: false, properties: {} };
const winRules = ['claims', 'newest', 'blanks', 'crm', 'review'] as const;

/** What the hub knows of the plugin before any of its code runs. Data only. */
export default {
  id: 'crm',
  displayName: 'CRM sync',
  description: 'Keeps the contacts, companies and deals of your CRM and the graph in agreement, one way or both.',
  sdk: '^1.0.0',
  minPlan: 'growth',
  icon: 'refresh-cw',
  page: 'sync',
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
          'HubSpot: access token of a private app that may read contacts, companies, deals, their schemas, and owners, and ' +
          'write contacts and companies if values go both ways. Pipedrive: API token of a user who may read and edit all people, ' +
          'organizations and deals, from personal preferences. Attio: access token with the scopes record_permission:read-write, ' +
          'object_configuration:read and user_management:read. Salesforce: connect by signing in; a token of a session works too, with ' +
          'the address of your organization in api_url.',
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
      provider: {
        type: 'string',
        title: 'CRM',
        enum: ['hubspot', 'salesforce', 'pipedrive', 'attio'],
        default: 'hubspot',
      },
      salesforce_login: {
        type: 'string',
        title: 'Salesforce login',
        description: 'Where people sign in at Salesforce: login for production, test for a sandbox.',
        enum: ['login', 'test'],
        default: 'login',
      },
      direction: {
        type: 'string',
        title: 'Direction',
        description: '`pull` reads from the CRM, `push` writes to it, `both` does both.',
        enum: ['pull', 'push', 'both'],
        default: 'pull',
      },
      auto_sync: {
        type: 'boolean',
        title: 'Sync automatically',
        description: 'Syncs what changed every 10 minutes.',
        default: false,
      },
      objects: {
        type: 'array',
        title: 'Objects',
        description: 'What is synced. Deals and activities (calls, e-mails and meetings) are only read.',
        items: { type: 'string', enum: ['companies', 'contacts', 'deals', 'activities'] },
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
      wins: {
        type: 'string',
        title: 'Which value wins in the CRM',
        description:
          'What the CRM gets if it has another value than the graph. `claims`: the claim; `newest`: the claim if it is newer ' +
          'than the record; `blanks`: only fields without a value are filled; `crm`: the CRM keeps its own; `review`: you decide.',
        enum: winRules,
        default: 'claims',
      },
      min_confidence: {
        type: 'number',
        title: 'Minimum confidence',
        description:
          'Only claims that are fresh, not contested, and have at least this confidence are written to the CRM.',
        minimum: 0.7,
        maximum: 1,
        default: 0.7,
      },
      create_in_crm: {
        type: 'boolean',
        title: 'Create contacts in the CRM',
        description: 'Whether people without a contact in the CRM get one.',
        default: false,
      },
      create_trigger: {
        type: 'string',
        title: 'Create contacts after',
        description: 'What must have happened before a contact is created in the CRM.',
        enum: ['positive_reply_or_meeting', 'any_reply_or_meeting', 'meeting_only', 'interested_stage'],
        default: 'positive_reply_or_meeting',
      },
      create_require_icp_fit: {
        type: 'boolean',
        title: 'Create only contacts that fit',
        description: 'Whether a person needs the Fit score below before a contact is created. Without a score none is.',
        default: false,
      },
      create_icp_threshold: {
        type: 'integer',
        title: 'Minimum Fit score',
        description: 'Fit score that a new contact needs, 0 to 100. Used if only contacts that fit are created.',
        minimum: 0,
        maximum: 100,
        default: 70,
      },
      update_in_crm: {
        type: 'array',
        title: 'Update in the CRM',
        description: 'Whose present records get values. Without contacts, new ones are created and never changed.',
        items: { type: 'string', enum: ['companies', 'contacts'] },
        uniqueItems: true,
        default: ['companies', 'contacts'],
      },
      field_map: {
        type: 'object',
        title: 'Fields',
        description:
          'Properties of people, or `companies.<property>`, with the field of the CRM that has them, or with an object of ' +
          '`field`, `direction`, `wins`, `confidence_field` and `freshness_field`. Added to the standard fields; null leaves one out.',
        additionalProperties: {
          anyOf: [
            { type: ['string', 'null'], maxLength: 100 },
            {
              type: 'object',
              additionalProperties: false,
              required: ['field'],
              properties: {
                field: { type: 'string', minLength: 1, maxLength: 100 },
                direction: { type: 'string', enum: ['pull', 'push', 'both', 'off'] },
                wins: { type: 'string', enum: winRules },
                confidence_field: { type: 'string', minLength: 1, maxLength: 100 },
                freshness_field: { type: 'string', minLength: 1, maxLength: 100 },
              },
            },
          ],
        },
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
        description: 'Address of a proxy before the CRM. Leave empty to call the CRM itself.',
        pattern: '^(https?://.*)?$',
        maxLength: 500,
        default: '',
      },
    },
  },
  http: {
    hosts: ['api.hubapi.com', 'api.pipedrive.com', 'api.attio.com', 'credentials.instance_url', 'settings.api_url'],
    auth: { credential: 'access_token' },
    limits: [
      { requests: 100, perMs: 10_000, atOnce: 20 },
      { requests: 4, perMs: 1_000, atOnce: 1, paths: ['/crm/v3/objects/*/search'] },
    ],
  },
  oauth2: {
    setting: 'provider',
    providers: {
      hubspot: {
        providerName: 'HubSpot',
        authorizeUrl: 'https://app.hubspot.com/oauth/authorize',
        tokenUrl: 'https://api.hubapi.com/oauth/2026-03/token',
        revokeUrl: 'https://api.hubapi.com/oauth/2026-03/token/revoke',
        scopes: [
          'oauth',
          'crm.objects.contacts.read',
          'crm.objects.contacts.write',
          'crm.objects.companies.read',
          'crm.objects.companies.write',
          'crm.objects.deals.read',
          'crm.objects.owners.read',
          'crm.schemas.contacts.read',
          'crm.schemas.companies.read',
          'crm.schemas.deals.read',
        ],
        authorizeParams: { optional_scope: 'sales-email-read' },
        pkce: false,
      },
      salesforce: {
        providerName: 'Salesforce',
        authorizeUrl: 'https://{settings.salesforce_login}.salesforce.com/services/oauth2/authorize',
        tokenUrl: 'https://{settings.salesforce_login}.salesforce.com/services/oauth2/token',
        revokeUrl: 'https://{settings.salesforce_login}.salesforce.com/services/oauth2/revoke',
        scopes: ['api', 'refresh_token'],
        tokenFields: ['instance_url'],
      },
    },
  },
  jobs: { schedule: { attempts: 3, everyMs: 10 * MINUTE_MS } },
  runs: {
    sync: {
      title: 'Sync the CRM',
      description:
        'Records what the CRM states, and writes to it what it lacks. A dry run only counts and shows examples.',
      sync: true,
      stepTimeoutMs: 2 * MINUTE_MS,
      input: runInput,
    },
  },
  routes: {
    sync: {
      method: 'POST',
      path: 'sync',
      auth: 'workspace',
      summary: 'Start a sync of the CRM or its dry run',
      query,
      body: syncPage.startBody,
      response: syncPage.startResponse,
      statuses: [202],
    },
    status: {
      method: 'GET',
      path: 'status',
      auth: 'workspace',
      summary: 'Get the state of the CRM sync',
      query,
      response: syncPage.statusResponse,
    },
    record: {
      method: 'GET',
      path: 'records/:object/:id',
      auth: 'workspace',
      summary: 'Get the state of one CRM record',
      query,
      response: recordResponse,
    },
    'sync-record': {
      method: 'POST',
      path: 'records/:object/:id/sync',
      auth: 'workspace',
      summary: 'Sync one CRM record',
      query,
      response: syncPage.startResponse,
      statuses: [202],
    },
    approve: {
      method: 'POST',
      path: 'approve',
      auth: 'workspace',
      summary: 'Approve or discard a mass change',
      query,
      body: syncPage.approveBody,
      response: syncPage.approveResponse,
    },
    changes: {
      method: 'GET',
      path: 'changes',
      auth: 'workspace',
      summary: 'List the last 1000 values that travelled',
      query: syncPage.pageQuery,
      response: syncPage.changesResponse,
    },
    reviews: {
      method: 'GET',
      path: 'reviews',
      auth: 'workspace',
      summary: 'List values that wait for a decision',
      query: syncPage.pageQuery,
      response: syncPage.reviewsResponse,
    },
    decide: {
      method: 'POST',
      path: 'reviews/:object/:id/:field',
      auth: 'workspace',
      summary: 'Decide which value a field of the CRM gets',
      query,
      body: syncPage.verdictBody,
      response: syncPage.verdictResponse,
    },
    fields: {
      method: 'GET',
      path: 'fields/:object',
      auth: 'workspace',
      summary: 'List the fields of the CRM and what they state',
      query,
      response: syncPage.fieldsResponse,
    },
  },
} as const satisfies PluginManifest;
