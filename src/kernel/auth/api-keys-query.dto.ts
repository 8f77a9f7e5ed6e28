import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { ToInt } from '../http/validation.decorators.js';
import { type ApiKeyState, KEY_STATES, MAX_LIVING_KEYS } from './api-keys.service.js';

/** Maximum number of keys on a page: all that can be active at once. */
export const MAX_LISTED_KEYS = MAX_LIVING_KEYS;

/** Query of `GET /v2/api-keys`. */
export class ApiKeysQuery {
  @ApiPropertyOptional({
    description: 'State of the keys to list. `active` keys are neither revoked nor expired.',
    enum: KEY_STATES,
    default: 'active',
  })
  @IsOptional()
  @IsIn(KEY_STATES)
  state?: ApiKeyState;

  @ApiPropertyOptional({
    description: `Maximum number of keys on a page. Values above ${MAX_LISTED_KEYS} are treated as ${MAX_LISTED_KEYS}.`,
    type: 'integer',
    default: 100,
    minimum: 1,
    maximum: MAX_LISTED_KEYS,
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({
    description: '`next_cursor` of the previous page.',
    maxLength: 500,
  })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  cursor?: string;
}

/** Query of `DELETE /v2/api-keys/:id`. */
export class RevokeApiKeyQuery {
  @ApiPropertyOptional({
    description:
      'Whether to revoke the descendants of the key as well: the keys that it created or approved, and so on. Use it ' +
      'if the key may have been stolen.',
    enum: ['true', 'false'],
    default: 'false',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  descendants?: 'true' | 'false';
}
