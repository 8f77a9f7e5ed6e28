import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsString, Matches, MaxLength } from 'class-validator';
import { OptionalField } from '#kernel/http/optional-field.decorator.js';

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';

/** How a connection is shown. */
export const INTEGRATION_STATES = [
  'available',
  'testing',
  'connected',
  'degraded',
  'disconnected',
  'locked',
  'failed',
] as const;

/** Body of `POST /v2/workspace/integrations/:plugin/test`. */
export class TestIntegration {
  @ApiPropertyOptional({
    description: 'Credentials to try without saving them. Absent: those that are saved.',
    type: 'object',
    additionalProperties: true,
    example: { api_key: 'cal_live_…' },
  })
  @OptionalField()
  @IsObject()
  credentials?: Record<string, unknown>;

  @ApiPropertyOptional({
    description: 'Settings to try with them.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  @OptionalField()
  @IsObject()
  settings?: Record<string, unknown>;
}

/** Body of `POST /v2/workspace/integrations`. */
export class ConnectIntegration extends TestIntegration {
  @ApiPropertyOptional({
    description: 'A name of `GET /v2/workspace/integrations`. Required.',
    maxLength: 60,
    pattern: '^[A-Za-z0-9._-]+$',
    example: 'calcom',
  })
  @OptionalField()
  @IsString()
  @MaxLength(60)
  provider?: string;

  @ApiPropertyOptional({
    description: 'What the connection is called. Default: the name of the provider.',
    maxLength: 200,
    pattern: '\\S',
    example: 'Sales calendar',
  })
  @OptionalField()
  @Matches(/^\P{Cc}{1,200}$/u, { message: 'name must be a text of 1 to 200 characters, without control characters' })
  name?: string;
}

/** A connection that was just made. */
export class NewConnection {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ maxLength: 200, pattern: '^.*$', example: 'Cal.com' })
  name: string;

  @ApiProperty({ maxLength: 60, pattern: '^[a-z0-9-]+$', example: 'calcom' })
  provider: string;

  @ApiProperty({ description: 'The provider has accepted the credentials.', example: true })
  is_verified: boolean;

  @ApiProperty({ format: 'date-time', maxLength: 40, example: EXAMPLE_TIME })
  created_at: string;
}

/** Answer of `POST /v2/workspace/integrations`. */
export class ConnectResult {
  @ApiProperty({ example: true })
  ok: true;

  @ApiProperty({ type: NewConnection })
  connection: NewConnection;

  @ApiProperty({ description: 'Whether the provider reports to this hub from now on.', example: true })
  webhook_registered: boolean;

  @ApiProperty({ maxLength: 500, pattern: '^.*$', example: 'Cal.com is connected. It reports to us from now on.' })
  message: string;
}

/** Answer of `POST /v2/workspace/integrations/:plugin/test`. */
export class ConnectionTestResult {
  @ApiProperty({ example: true })
  ok: boolean;

  @ApiProperty({ enum: ['ok', 'bad_credentials', 'forbidden', 'unreachable'], example: 'ok' })
  outcome: 'ok' | 'bad_credentials' | 'forbidden' | 'unreachable';

  @ApiProperty({ maxLength: 500, pattern: '^.*$', example: 'Connected as ada@acme.io.' })
  message: string;
}

/** Answer of `DELETE /v2/workspace/integrations/:plugin`. */
export class DisconnectResult {
  @ApiProperty({ example: true })
  ok: true;

  @ApiProperty({ maxLength: 60, pattern: '^[a-z0-9.-]+$', example: 'calcom' })
  provider: string;

  @ApiProperty({ description: 'False: there was no connection.', example: true })
  disconnected: boolean;
}
