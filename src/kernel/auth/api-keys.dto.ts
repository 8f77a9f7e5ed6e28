import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { IsInstant } from '#kernel/http/is-instant.decorator.js';
import type { KeyOrigin } from './api-key.entity.js';
import type { Scope } from './caller.js';

/** The scopes that may be given over REST; `internal` is for the operator to give. */
export const GRANTABLE_SCOPES = ['read', 'write', 'admin'] as const satisfies readonly Scope[];

/** The longest life that `expires_in_days` gives. */
export const MAX_KEY_EXPIRY_DAYS = 3650;

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';

/** Body of `POST /v2/api-keys`. */
export class CreateApiKey {
  @ApiProperty({ description: 'What the key is for.', maxLength: 200, pattern: '\\S', example: 'Enrichment agent' })
  @Matches(/^(?=.*\S)\P{Cc}{1,200}$/u, {
    message: 'name must be a text of 1 to 200 characters, not only spaces, without control characters',
  })
  name: string;

  @ApiPropertyOptional({
    description: 'What the key may do: only what the calling key may do itself.',
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
    description: 'When the key stops working, ISO 8601. Absent: never.',
    format: 'date-time',
    maxLength: 40,
    example: '2027-11-20T00:00:00Z',
  })
  @IsOptional()
  @IsInstant()
  expires_at?: string;

  @ApiPropertyOptional({
    description: 'The same as a number of days from now; not together with expires_at.',
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
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ description: 'What the key is for.', maxLength: 200, pattern: '\\S', example: 'Enrichment agent' })
  name: string;

  @ApiProperty({
    description: 'How the key begins.',
    maxLength: 13,
    pattern: '^rap_live_[0-9A-Za-z]{4}$',
    example: 'rap_live_4fTq',
  })
  prefix: string;

  @ApiProperty({ description: 'How the key ends.', maxLength: 4, pattern: '^[0-9A-Za-z]{4}$', example: 'x2Ka' })
  last_four: string;

  @ApiProperty({ enum: ['read', 'write', 'admin', 'internal'], isArray: true, maxItems: 4, example: ['read', 'write'] })
  scopes: Scope[];

  @ApiProperty({ description: 'Where the key was made.', enum: ['api', 'admin', 'oauth', 'cli'], example: 'api' })
  origin: KeyOrigin;

  @ApiProperty({ format: 'date-time', maxLength: 40, example: EXAMPLE_TIME })
  created_at: string;

  @ApiProperty({ type: String, nullable: true, format: 'date-time', maxLength: 40, example: null })
  expires_at: string | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time', maxLength: 40, example: null })
  revoked_at: string | null;

  @ApiProperty({
    description: 'Noted within about half a minute.',
    type: String,
    nullable: true,
    format: 'date-time',
    maxLength: 40,
    example: EXAMPLE_TIME,
  })
  last_used_at: string | null;

  @ApiProperty({
    description: 'The x-rapport-client header of that call, else api.',
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
  @ApiProperty({ type: [ApiKeyDto], maxItems: 1000 })
  api_keys: ApiKeyDto[];
}

/** Answer of `POST /v2/api-keys`. */
export class CreatedApiKey extends ApiKeyDto {
  @ApiPropertyOptional({
    description: 'The key. It is shown in this answer only; a replay under the same Idempotency-Key leaves it out.',
    maxLength: 45,
    pattern: '^rap_live_[0-9A-Za-z]{36}$',
    example: 'rap_live_4fTqZ8pVw0aLr3NkYc6dUe1HsJb5XmGt0ox2',
  })
  key?: string;
}

/** Answer of `DELETE /v2/api-keys/:id`. */
export class RevokedApiKey {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ example: true })
  revoked: true;

  @ApiProperty({ format: 'date-time', maxLength: 40, example: EXAMPLE_TIME })
  revoked_at: string;
}
