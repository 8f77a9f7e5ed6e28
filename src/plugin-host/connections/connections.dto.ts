import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsString, Matches, MaxLength } from 'class-validator';
import { NotBlank, OptionalField } from '#kernel/http/validation.decorators.js';

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';

/** Maximum number of options of a response. */
export const MAX_OPTIONS = 200;

/** How a connection is shown. */
export const INTEGRATION_STATES = [
  'available',
  'testing',
  'connected',
  'degraded',
  'reconnect',
  'disconnected',
  'locked',
  'failed',
] as const;

/** Body of `POST /v2/workspace/integrations/:plugin/test`. */
export class TestIntegration {
  @ApiPropertyOptional({
    description:
      'Credentials as `credentials_schema` of the integration describes them. Required to connect; in a ' +
      'test, omit them to check the saved ones.',
    type: 'object',
    additionalProperties: true,
    example: { api_key: 'cal_live_…' },
  })
  @OptionalField()
  @IsObject()
  credentials?: Record<string, unknown>;

  @ApiPropertyOptional({
    description: 'Settings as `settings_schema` of the integration describes them. Defaults apply to omitted settings.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  @OptionalField()
  @IsObject()
  settings?: Record<string, unknown>;
}

/** Body of `POST /v2/workspace/integrations/:plugin/options`. */
export class ListOptions extends TestIntegration {
  @ApiProperty({
    description: 'Name of the setting: one that has `"options": "provider"` in `settings_schema` of the integration.',
    maxLength: 100,
    example: 'pipeline',
  })
  @IsString()
  @NotBlank()
  @MaxLength(100)
  field: string;

  @ApiPropertyOptional({
    description: 'Part of the label to look for. Default: all options.',
    maxLength: 200,
    example: 'enterprise',
  })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  query?: string;
}

/** A value that a setting can have. */
export class SettingOption {
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'number' }],
    description: 'The value to send in `settings`, a text or a number.',
    example: 'p-7',
  })
  value: string | number;
  @ApiProperty({ description: 'Label of the option, for display.', example: 'Enterprise deals' }) label: string;
  @ApiPropertyOptional({ description: 'More about the option, for display.', example: '5 stages' })
  description?: string;
}

/** Answer of `POST /v2/workspace/integrations/:plugin/options`. */
export class SettingOptions {
  @ApiProperty({
    type: [SettingOption],
    maxItems: MAX_OPTIONS,
    description: 'The options in the order of the provider.',
  })
  options: SettingOption[];
  @ApiProperty({
    description: `Whether there are more than ${MAX_OPTIONS}: narrow them with \`query\`.`,
    example: false,
  })
  has_more: boolean;
}

/** Body of `POST /v2/workspace/integrations`. */
export class ConnectIntegration extends TestIntegration {
  @ApiPropertyOptional({
    description: 'Provider to connect, by its `provider` name in `GET /v2/workspace/integrations`. Required.',
    maxLength: 60,
    pattern: '^[A-Za-z0-9._-]+$',
    example: 'calcom',
  })
  @OptionalField()
  @IsString()
  @MaxLength(60)
  provider?: string;

  @ApiPropertyOptional({
    description: 'Display name of the connection. Default: the name of the provider.',
    maxLength: 200,
    pattern: '\\S',
    example: 'Sales calendar',
  })
  @OptionalField()
  @Matches(/^\P{Cc}{1,200}$/u, { message: 'name must be a text of 1 to 200 characters, without control characters' })
  name?: string;
}

/** Body of `PATCH /v2/workspace/integrations/:plugin`. */
export class ChangeIntegration {
  @ApiPropertyOptional({
    description:
      'Settings to change, as `settings_schema` of the integration describes them. Others stay; null returns a setting to its default.',
    type: 'object',
    additionalProperties: true,
    example: { backfill_days: 30 },
  })
  @OptionalField()
  @IsObject()
  settings?: Record<string, unknown>;

  @ApiPropertyOptional({
    description: 'Display name of the connection. Default: it stays as it is.',
    maxLength: 200,
    pattern: '\\S',
    example: 'Sales calendar',
  })
  @OptionalField()
  @Matches(/^\P{Cc}{1,200}$/u, { message: 'name must be a text of 1 to 200 characters, without control characters' })
  name?: string;
}

/** Body of `POST /v2/workspace/integrations/:plugin/authorize`. */
export class AuthorizeIntegration extends ChangeIntegration {}

/** Answer of `POST /v2/workspace/integrations/:plugin/authorize`. */
export class AuthorizationLinkDto {
  @ApiProperty({
    description: 'Name of the provider at which the person signs in.',
    maxLength: 200,
    example: 'HubSpot',
  })
  provider_name: string;

  @ApiProperty({
    description: 'Address for the person who may sign in at the provider. It shows which workspace is to be connected.',
    format: 'uri',
    maxLength: 2000,
    example: 'https://rapport.example/connect/AZQfXn4rfDqdVA8vbBqLFw',
  })
  authorization_url: string;

  @ApiProperty({
    description: 'Time until which the link works, ISO 8601.',
    format: 'date-time',
    maxLength: 40,
    example: EXAMPLE_TIME,
  })
  expires_at: string;
}

/** A connection that was just made. */
export class NewConnection {
  @ApiProperty({ description: 'Unique identifier of the connection.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ description: 'Display name of the connection.', maxLength: 200, pattern: '^.*$', example: 'Cal.com' })
  name: string;

  @ApiProperty({
    description: 'Provider that is connected.',
    maxLength: 60,
    pattern: '^[a-z0-9-]+$',
    example: 'calcom',
  })
  provider: string;

  @ApiProperty({
    description: 'Whether the provider accepted the credentials. Always true for a saved connection.',
    example: true,
  })
  is_verified: boolean;

  @ApiProperty({
    description: 'Time at which the provider was first connected, ISO 8601.',
    format: 'date-time',
    maxLength: 40,
    example: EXAMPLE_TIME,
  })
  created_at: string;
}

/** Answer of `POST /v2/workspace/integrations`. */
export class ConnectResult {
  @ApiProperty({ description: 'Always true: the connection was saved.', example: true })
  ok: true;

  @ApiProperty({ description: 'The connection that was created or updated.', type: NewConnection })
  connection: NewConnection;

  @ApiProperty({
    description: 'Whether a webhook subscription is active at the provider. False for providers without webhooks.',
    example: true,
  })
  webhook_registered: boolean;

  @ApiProperty({
    description: 'Result in one sentence, for display.',
    maxLength: 500,
    pattern: '^.*$',
    example: 'Cal.com is connected. It reports to us from now on.',
  })
  message: string;
}

/** Answer of `POST /v2/workspace/integrations/:plugin/test`. */
export class ConnectionTestResult {
  @ApiProperty({ description: 'Whether the provider accepted the credentials.', example: true })
  ok: boolean;

  @ApiProperty({
    description:
      'Outcome of the test: `ok`, `bad_credentials` (rejected), `forbidden` (accepted, but without the ' +
      'needed rights) or `unreachable` (no response).',
    enum: ['ok', 'bad_credentials', 'forbidden', 'unreachable'],
    example: 'ok',
  })
  outcome: 'ok' | 'bad_credentials' | 'forbidden' | 'unreachable';

  @ApiProperty({
    description: 'Outcome in one sentence, for display.',
    maxLength: 500,
    pattern: '^.*$',
    example: 'Connected as ada@acme.io.',
  })
  message: string;
}

/** Answer of `DELETE /v2/workspace/integrations/:plugin`. */
export class DisconnectResult {
  @ApiProperty({ description: 'Always true: the workspace is not connected to the provider.', example: true })
  ok: true;

  @ApiProperty({
    description: 'Provider that was disconnected.',
    maxLength: 60,
    pattern: '^[a-z0-9.-]+$',
    example: 'calcom',
  })
  provider: string;

  @ApiProperty({ description: 'True if a connection was removed, false if there was none.', example: true })
  disconnected: boolean;
}
