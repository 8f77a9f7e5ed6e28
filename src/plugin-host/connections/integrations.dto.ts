import { ApiProperty } from '@nestjs/swagger';
import { PLANS, type Plan } from '#domain/plans/tiers.js';
import { INTEGRATION_STATES } from './connections.dto.js';

const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';
const nullableTime = { type: String, nullable: true, format: 'date-time', maxLength: 40 } as const;
const nullableSchema = { type: 'object', nullable: true, additionalProperties: true } as const;

/** The connection of an integration. Credentials are never shown. */
export class IntegrationConnection {
  @ApiProperty({ format: 'uuid', example: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17' })
  id: string;

  @ApiProperty({ maxLength: 200, pattern: '^.*$', example: 'Sales calendar' })
  name: string;

  @ApiProperty({ description: 'As given; defaults left out.', type: 'object', additionalProperties: true, example: {} })
  settings: Record<string, unknown>;

  @ApiProperty({
    description: 'Whether the provider reports to this hub; null: it has no webhook.',
    type: Boolean,
    nullable: true,
    example: true,
  })
  webhook_active: boolean | null;

  @ApiProperty({ description: 'When the provider last reported something.', ...nullableTime, example: EXAMPLE_TIME })
  last_event_at: string | null;

  @ApiProperty({ type: String, nullable: true, maxLength: 500, pattern: '^.*$', example: null })
  last_error: string | null;

  @ApiProperty({ ...nullableTime, example: EXAMPLE_TIME })
  last_checked_at: string | null;

  @ApiProperty({ format: 'date-time', maxLength: 40, example: EXAMPLE_TIME })
  created_at: string;

  @ApiProperty({ format: 'date-time', maxLength: 40, example: EXAMPLE_TIME })
  updated_at: string;
}

/** A plugin of this hub, and how it stands with the workspace. */
export class Integration {
  @ApiProperty({ maxLength: 60, pattern: '^[A-Za-z0-9._@/-]+$', example: 'calcom' })
  provider: string;

  @ApiProperty({ maxLength: 200, pattern: '^.*$', example: 'Cal.com' })
  display_name: string;

  @ApiProperty({ type: String, nullable: true, maxLength: 1000, pattern: '^.*$', example: 'Bookings on timelines.' })
  description: string | null;

  @ApiProperty({ maxLength: 40, pattern: '^[a-z-]+$', example: 'calendar' })
  category: string;

  @ApiProperty({ type: String, nullable: true, maxLength: 20_000, pattern: '^data:', example: null })
  logo_url: string | null;

  @ApiProperty({ type: String, nullable: true, maxLength: 2000, pattern: '^https:', example: null })
  docs_url: string | null;

  @ApiProperty({ description: 'Connected, and the provider accepts the credentials.', example: true })
  verified: boolean;

  @ApiProperty({
    description: '`locked`: the plan does not include it (see `min_plan`). `failed`: the plugin does not serve.',
    enum: INTEGRATION_STATES,
    example: 'connected',
  })
  state: (typeof INTEGRATION_STATES)[number];

  @ApiProperty({ description: 'The lowest plan that includes it.', enum: PLANS, nullable: true, example: 'starter' })
  min_plan: Plan | null;

  @ApiProperty({ type: String, nullable: true, maxLength: 2000, pattern: '^.*$', example: null })
  reason: string | null;

  @ApiProperty({
    description: 'JSON Schema of the credentials; null: it needs none.',
    ...nullableSchema,
    example: null,
  })
  credentials_schema: Record<string, unknown> | null;

  @ApiProperty({ description: 'JSON Schema of the settings; null: it has none.', ...nullableSchema, example: null })
  settings_schema: Record<string, unknown> | null;

  @ApiProperty({ type: IntegrationConnection, nullable: true })
  connection: IntegrationConnection | null;
}

/** Answer of `GET /v2/workspace/integrations`. */
export class IntegrationList {
  @ApiProperty({ type: [Integration], maxItems: 1000 })
  integrations: Integration[];
}
