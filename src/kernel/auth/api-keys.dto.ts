import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsInstant, IsName, OptionalField } from '../http/validation.decorators.js';
import type { KeyOrigin } from './api-key.entity.js';
import { ActorDto } from './actor.dto.js';
import { MAX_LISTED_KEYS } from './api-keys-query.dto.js';
import { API_KEY_SCOPES, type Scope } from './caller.js';

/** The scopes that may be given over REST; `internal` is for the operator to give. */
export const GRANTABLE_SCOPES = ['read', 'write', 'settings', 'admin'] as const satisfies readonly Scope[];

/** The longest life that `expires_in_days` gives. */
export const MAX_KEY_EXPIRY_DAYS = 3650;

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';

/** Body of `POST /v2/api-keys`. */
export class CreateApiKey {
  @ApiProperty({
    description: 'Label that says what the key is used for. Shown in the key list; it does not have to be unique.',
    maxLength: 200,
    pattern: '\\S',
    example: 'Enrichment agent',
  })
  @IsName()
  name: string;

  @ApiPropertyOptional({
    description:
      'Permissions of the new key. A key can only grant scopes that it has itself; other scopes return 403 ' +
      '`forbidden_scope`.',
    enum: GRANTABLE_SCOPES,
    isArray: true,
    maxItems: GRANTABLE_SCOPES.length,
    default: ['read', 'write'],
    example: ['read', 'write'],
  })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(GRANTABLE_SCOPES, { each: true })
  scopes?: (typeof GRANTABLE_SCOPES)[number][];

  @ApiPropertyOptional({
    description:
      'Time at which the key stops working, ISO 8601. Not later than the expiry of the calling key. Omit it, and ' +
      '`expires_in_days`, for a key that expires with the calling key, or never if that never does.',
    format: 'date-time',
    maxLength: 40,
    example: '2027-11-20T00:00:00Z',
  })
  @IsOptional()
  @IsInstant()
  expires_at?: string;

  @ApiPropertyOptional({
    description: 'Lifetime of the key in days, as an alternative to `expires_at`. Sending both returns 400.',
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_KEY_EXPIRY_DAYS,
    example: 90,
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_KEY_EXPIRY_DAYS)
  expires_in_days?: number;
}

/** An API key as lists show it. */
export class ApiKeyDto {
  @ApiProperty({
    description: 'Unique identifier of the API key. Use it to revoke the key.',
    format: 'uuid',
    example: EXAMPLE_ID,
  })
  id: string;

  @ApiProperty({
    description: 'Label given to the key when it was created.',
    maxLength: 200,
    pattern: '\\S',
    example: 'Enrichment agent',
  })
  name: string;

  @ApiProperty({
    description: 'First 13 characters of the key, to recognise it. The key itself is not stored.',
    maxLength: 13,
    pattern: '^rap_live_[0-9A-Za-z]{4}$',
    example: 'rap_live_4fTq',
  })
  prefix: string;

  @ApiProperty({
    description: 'Last four characters of the key, to recognise it.',
    maxLength: 4,
    pattern: '^[0-9A-Za-z]{4}$',
    example: 'x2Ka',
  })
  last_four: string;

  @ApiProperty({
    description:
      'Permissions of the key: `read` reads data, `write` records data, `settings` changes the set-up of the workspace ' +
      '(profile, scoring model, trust, integrations, triggers, API keys), `admin` approves sign-ins and includes ' +
      '`settings`, `internal` calls internal tools.',
    enum: API_KEY_SCOPES,
    isArray: true,
    maxItems: 5,
    example: ['read', 'write'],
  })
  scopes: Scope[];

  @ApiProperty({
    description:
      "How the key was created: through this API, the operator's admin command, OAuth consent, or the CLI login.",
    enum: ['api', 'admin', 'oauth', 'cli'],
    example: 'api',
  })
  origin: KeyOrigin;

  @ApiProperty({
    description: 'Who created the key, or approved the sign-in that received it.',
    type: ActorDto,
  })
  created_by: ActorDto;

  @ApiProperty({
    description: 'Time at which the key was created, ISO 8601.',
    format: 'date-time',
    maxLength: 40,
    example: EXAMPLE_TIME,
  })
  created_at: string;

  @ApiProperty({
    description: 'Time at which the key stops working, ISO 8601. Null if it never expires.',
    type: String,
    nullable: true,
    format: 'date-time',
    maxLength: 40,
    example: null,
  })
  expires_at: string | null;

  @ApiProperty({
    description: 'Time at which the key was revoked, ISO 8601. Null if it has not been revoked.',
    type: String,
    nullable: true,
    format: 'date-time',
    maxLength: 40,
    example: null,
  })
  revoked_at: string | null;

  @ApiProperty({
    description:
      'Time of the latest request with this key, accurate to about 30 seconds. Null if the key was never used.',
    type: String,
    nullable: true,
    format: 'date-time',
    maxLength: 40,
    example: EXAMPLE_TIME,
  })
  last_used_at: string | null;

  @ApiProperty({
    description:
      'Value of the `x-rapport-client` header of the latest request, or `api` without one. Null if the key ' +
      'was never used.',
    type: String,
    nullable: true,
    maxLength: 60,
    pattern: '^[ -~]+$',
    example: 'mcp',
  })
  last_used_client: string | null;
}

/** Answer of `GET /v2/api-keys`. */
export class ApiKeyList {
  @ApiProperty({
    description: 'API keys of the workspace in this state, newest first. Never contains the secret part.',
    type: [ApiKeyDto],
    maxItems: MAX_LISTED_KEYS,
  })
  api_keys: ApiKeyDto[];

  @ApiProperty({
    description: 'Maximum number of keys on a page.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_LISTED_KEYS,
    example: 100,
  })
  limit: number;

  @ApiProperty({ description: 'Whether another page exists.', example: false })
  has_more: boolean;

  @ApiProperty({
    description: 'Cursor of the next page. Null on the last page.',
    type: String,
    nullable: true,
    maxLength: 500,
    example: null,
  })
  next_cursor: string | null;
}

/** Answer of `POST /v2/api-keys`. */
export class CreatedApiKey extends ApiKeyDto {
  @ApiPropertyOptional({
    description:
      'The API key itself. Returned only in this response; a replay with the same `Idempotency-Key` omits it.',
    maxLength: 45,
    pattern: '^rap_live_[0-9A-Za-z]{36}$',
    example: 'rap_live_4fTqZ8pVw0aLr3NkYc6dUe1HsJb5XmGt0ox2',
  })
  key?: string;
}

/** Longest grace of a rotation, in hours: a week. */
export const MAX_GRACE_HOURS = 168;

/** Body of `POST /v2/api-keys/:id/rotate`. */
export class RotateApiKey {
  @ApiPropertyOptional({
    description: 'Hours for which the previous key works beside the new one; 0 revokes it at once.',
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MAX_GRACE_HOURS,
    default: 24,
    example: 24,
  })
  @OptionalField()
  @IsInt()
  @Min(0)
  @Max(MAX_GRACE_HOURS)
  grace_hours?: number;
}

/** The key that a rotation replaces. */
export class PreviousApiKey {
  @ApiProperty({ description: 'Unique identifier of the previous key.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({
    description: 'Time at which the previous key stops working, ISO 8601.',
    format: 'date-time',
    maxLength: 40,
    example: EXAMPLE_TIME,
  })
  works_until: string;
}

/** Answer of `POST /v2/api-keys/:id/rotate`. */
export class RotatedApiKey extends CreatedApiKey {
  @ApiProperty({ description: 'The key that the new one replaces.', type: PreviousApiKey })
  previous: PreviousApiKey;
}

/** Answer of `DELETE /v2/api-keys/:id`. */
export class RevokedApiKey {
  @ApiProperty({ description: 'Unique identifier of the revoked key.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ description: 'Always true: the key is revoked.', example: true })
  revoked: true;

  @ApiProperty({
    description: 'Time at which the key was first revoked, ISO 8601. Unchanged when the call is repeated.',
    format: 'date-time',
    maxLength: 40,
    example: EXAMPLE_TIME,
  })
  revoked_at: string;

  @ApiProperty({
    description: 'IDs of the descendants that this call revoked. Empty without `descendants=true`.',
    type: [String],
    maxItems: 100_000,
    example: [],
  })
  descendants: string[];
}
