import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { ToInt, IsInstant } from '#kernel/http/validation.decorators.js';
import { INTENTS, type Intent, isIntent } from '#domain/context/intents.js';
import { parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { AccountRequest } from './accounts.service.js';

/** Observations on a page, unless the caller says otherwise, and at most. */
export const DEFAULT_TIMELINE_LIMIT = 50;
export const MAX_TIMELINE_LIMIT = 200;

const BOOLEAN_TEXTS = ['true', 'false'] as const;

/** The query of GET /v2/accounts/:id. */
export class AccountQuery {
  @ApiPropertyOptional({ enum: ['person', 'company'], description: 'Restricts a name lookup to people or companies.' })
  @IsOptional()
  @IsIn(['person', 'company'])
  type?: 'person' | 'company';

  @ApiPropertyOptional({
    description: 'Restricts a name lookup to people of this company, by its name or domain.',
    maxLength: 320,
  })
  @IsOptional()
  @IsString()
  @MaxLength(320)
  company?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: DEFAULT_TIMELINE_LIMIT,
    minimum: 1,
    maximum: MAX_TIMELINE_LIMIT,
    description:
      'Maximum number of observations in `recent_observations`. Values above the maximum are treated as the ' +
      'maximum.',
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page, to continue the timeline.', maxLength: 500 })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  cursor?: string;

  @ApiPropertyOptional({
    enum: BOOLEAN_TEXTS,
    default: 'true',
    description: 'Whether claims include their previous values.',
  })
  @IsOptional()
  @IsIn(BOOLEAN_TEXTS)
  history?: 'true' | 'false';

  @ApiPropertyOptional({
    enum: INTENTS,
    description:
      'Purpose of the read. Adds `key_activity`, `activity_summary`, `stakeholders` and `committee`, ' +
      'selected for it.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(40)
  intent?: string;

  @ApiPropertyOptional({
    enum: ['1', '0', ...BOOLEAN_TEXTS],
    default: 'false',
    description: 'Same as `intent`, and omits `recent_observations` for a shorter response.',
  })
  @IsOptional()
  @IsIn(['1', '0', ...BOOLEAN_TEXTS])
  compress?: '1' | '0' | 'true' | 'false';

  @ApiPropertyOptional({
    enum: ['map', 'list'],
    default: 'map',
    description: 'Whether claims are returned as a map by property or as a flat list.',
  })
  @IsOptional()
  @IsIn(['map', 'list'])
  claims?: 'map' | 'list';

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Return facts as they were in effect at this time, ISO 8601. Default: now.',
  })
  @IsOptional()
  @IsInstant()
  as_of?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Use only what had been recorded by this time, ISO 8601. Default: now.',
  })
  @IsOptional()
  @IsInstant()
  known_at?: string;
}

/** The intent that a text names. @throws HubError `invalid_intent`. */
export function parseIntent(text: string): Intent {
  if (isIntent(text)) return text;
  throw new HubError('invalid_intent', { extra: { valid_intents: INTENTS } });
}

/** The request that a query stands for. @throws HubError `invalid_intent`. */
export function toAccountRequest(query: AccountQuery): AccountRequest {
  return {
    type: query.type,
    company: query.company,
    limit: Math.min(query.limit ?? DEFAULT_TIMELINE_LIMIT, MAX_TIMELINE_LIMIT),
    cursor: query.cursor,
    history: query.history !== 'false',
    claims: query.claims ?? 'map',
    intent: query.intent === undefined ? undefined : parseIntent(query.intent),
    compress: query.compress === '1' || query.compress === 'true',
    asOf: query.as_of === undefined ? undefined : parseInstant(query.as_of),
    knownAt: query.known_at === undefined ? undefined : parseInstant(query.known_at),
  };
}
