import { ApiProperty } from '@nestjs/swagger';
import { PLANS, type Plan } from '#domain/plans/tiers.js';
import { INTEGRATION_STATES } from './connections.dto.js';
import { IntegrationSignIn } from '../oauth2/integration-sign-in.dto.js';
import { Run } from '../runs/runs.dto.js';
import { IntegrationPanel, IntegrationSyncPage } from './integration-panel.dto.js';

const CONNECTION_STATES = ['connected', 'degraded', 'reconnect', 'locked'] as const;

const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';
const nullableTime = { type: String, nullable: true, format: 'date-time', maxLength: 40 } as const;
const nullableSchema = { type: 'object', nullable: true, additionalProperties: true } as const;

/** The connection of an integration. Credentials are never shown. */
export class IntegrationConnection {
  @ApiProperty({
    description: 'Unique identifier of the connection.',
    format: 'uuid',
    example: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17',
  })
  id: string;

  @ApiProperty({
    description: 'Display name of the connection.',
    maxLength: 200,
    pattern: '^.*$',
    example: 'Sales calendar',
  })
  name: string;

  @ApiProperty({
    description:
      'State of the connection: `connected`, `degraded` (recent errors), `reconnect` (connect it again, see `reason`) or ' +
      '`locked` (its credentials cannot be read).',
    enum: CONNECTION_STATES,
    example: 'connected',
  })
  state: (typeof CONNECTION_STATES)[number];

  @ApiProperty({ description: 'Whether the provider accepts the credentials.', example: true }) verified: boolean;

  @ApiProperty({
    description: 'Why the connection is in this state. Null if there is nothing to explain.',
    type: String,
    nullable: true,
    maxLength: 2000,
    pattern: '^.*$',
    example: null,
  })
  reason: string | null;

  @ApiProperty({
    description: 'Settings saved with the connection. Settings left at their default are omitted.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  settings: Record<string, unknown>;

  @ApiProperty({
    description: 'How the connection was made: with pasted credentials, or by sign-in at the provider.',
    enum: ['credentials', 'sign_in'],
    example: 'credentials',
  })
  made_by: 'credentials' | 'sign_in';

  @ApiProperty({
    description: "Whether the provider's webhook subscription is active. Null if the provider has no webhooks.",
    type: Boolean,
    nullable: true,
    example: true,
  })
  webhook_active: boolean | null;

  @ApiProperty({
    description: 'Time of the latest event received from the provider, ISO 8601. Null if none was received.',
    ...nullableTime,
    example: EXAMPLE_TIME,
  })
  last_event_at: string | null;

  @ApiProperty({
    description: 'Message of the latest failure. Null if the last attempt succeeded.',
    type: String,
    nullable: true,
    maxLength: 500,
    pattern: '^.*$',
    example: null,
  })
  last_error: string | null;

  @ApiProperty({
    ...nullableTime,
    description: 'Time of the latest credentials check, ISO 8601. Null if not checked yet.',
    example: EXAMPLE_TIME,
  })
  last_checked_at: string | null;

  @ApiProperty({
    description: 'Time at which the connection was created, ISO 8601.',
    format: 'date-time',
    maxLength: 40,
    example: EXAMPLE_TIME,
  })
  created_at: string;

  @ApiProperty({
    description: 'Time at which the connection last changed, ISO 8601.',
    format: 'date-time',
    maxLength: 40,
    example: EXAMPLE_TIME,
  })
  updated_at: string;
}

/** A plugin of this hub, and how it stands with the workspace. */
export class Integration {
  @ApiProperty({
    description: 'Identifier of the provider, used in the paths of this API.',
    maxLength: 60,
    pattern: '^[A-Za-z0-9._@/-]+$',
    example: 'calcom',
  })
  provider: string;

  @ApiProperty({
    description: 'Name of the provider, for display.',
    maxLength: 200,
    pattern: '^.*$',
    example: 'Cal.com',
  })
  display_name: string;

  @ApiProperty({
    description: 'What the integration does, in one sentence. Null if the plugin gives none.',
    type: String,
    nullable: true,
    maxLength: 1000,
    pattern: '^.*$',
    example: 'Bookings on timelines.',
  })
  description: string | null;

  @ApiProperty({
    description: 'Kind of integration, such as `calendar`, `crm` or `import`.',
    maxLength: 40,
    pattern: '^[a-z-]+$',
    example: 'calendar',
  })
  category: string;

  @ApiProperty({
    description: 'Logo as a `data:` URL. Null if the plugin has none.',
    type: String,
    nullable: true,
    maxLength: 20_000,
    pattern: '^data:',
    example: null,
  })
  logo_url: string | null;

  @ApiProperty({
    description: 'Link to the documentation of the integration. Null if there is none.',
    type: String,
    nullable: true,
    maxLength: 2000,
    pattern: '^https:',
    example: null,
  })
  docs_url: string | null;

  @ApiProperty({ description: 'Whether a connection exists and the provider accepts its credentials.', example: true })
  verified: boolean;

  @ApiProperty({
    description:
      'State in this workspace: `available` (not connected), `testing`, `connected`, `degraded` (recent ' +
      'errors), `reconnect` (connect it again), `disconnected`, `locked` (needs the plan in `min_plan`, or its ' +
      'credentials cannot be read) or `failed` (the plugin is not running). Of several connections, that of the one that ' +
      'needs most attention.',
    enum: INTEGRATION_STATES,
    example: 'connected',
  })
  state: (typeof INTEGRATION_STATES)[number];

  @ApiProperty({
    description: 'Lowest plan that includes the integration. Null if the plugin could not be loaded.',
    enum: PLANS,
    nullable: true,
    example: 'starter',
  })
  min_plan: Plan | null;

  @ApiProperty({
    description: 'Why the integration is in this state. Null if there is nothing to explain.',
    type: String,
    nullable: true,
    maxLength: 2000,
    pattern: '^.*$',
    example: null,
  })
  reason: string | null;

  @ApiProperty({
    description: 'JSON Schema of the credentials to send. Null if the integration needs none.',
    ...nullableSchema,
    example: null,
  })
  credentials_schema: Record<string, unknown> | null;

  @ApiProperty({
    description:
      'Sign-in at the provider (OAuth 2.0), begun with `POST …/:plugin/authorize`. Null if the integration has none. An ' +
      'integration with `credentials_schema` too can be connected either way.',
    type: IntegrationSignIn,
    nullable: true,
    example: null,
  })
  sign_in: IntegrationSignIn | null;

  @ApiProperty({
    description: 'JSON Schema of the settings to send. Null if the integration has none.',
    ...nullableSchema,
    example: null,
  })
  settings_schema: Record<string, unknown> | null;

  @ApiProperty({
    description: 'Panels that the plugin shows on pages of the console.',
    type: [IntegrationPanel],
    maxItems: 100,
  })
  panels: IntegrationPanel[];

  @ApiProperty({
    description: 'Page of the console that shows the integration as a sync with a CRM. Null if it has none.',
    type: IntegrationSyncPage,
    nullable: true,
  })
  sync_page: IntegrationSyncPage | null;

  @ApiProperty({
    description:
      'Whether the workspace may have several connections to the provider, each with a name of its own. Connecting under ' +
      'another name then makes another connection.',
    example: false,
  })
  multiple_connections: boolean;

  @ApiProperty({
    description: 'Connection of this workspace, the oldest one of several. Null if the provider is not connected.',
    type: IntegrationConnection,
    nullable: true,
  })
  connection: IntegrationConnection | null;

  @ApiProperty({
    description: 'All connections of this workspace to the provider, oldest first.',
    type: [IntegrationConnection],
    maxItems: 1000,
  })
  connections: IntegrationConnection[];
}

/** An integration with its newest runs. */
export class IntegrationDetail extends Integration {
  @ApiProperty({
    description: 'The newest 10 runs of the integration, such as syncs and imports, the newest first.',
    type: [Run],
    maxItems: 10,
  })
  runs: readonly Run[];
}

/** Answer of `GET /v2/workspace/integrations`. */
export class IntegrationList {
  @ApiProperty({
    description: 'All integrations that this hub knows, connected or not.',
    type: [Integration],
    maxItems: 1000,
  })
  integrations: Integration[];
}
