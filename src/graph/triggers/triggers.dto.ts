import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import type { Json } from '#sdk/schema.js';
import { IsInstant, OptionalField, ToInt } from '#kernel/http/validation.decorators.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** Longest address, longest name of an event, most events. */
export const MAX_TRIGGER_URL_LENGTH = 2048;
export const MAX_EVENT_NAME_LENGTH = 80;
export const MAX_TRIGGER_EVENTS = 50;
export const MAX_TRIGGER_NAME_LENGTH = 200;

/** Most headers that an endpoint adds to its requests. */
export const MAX_TRIGGER_HEADERS = 20;

const FILTER_PROPERTY = {
  description:
    'Conditions that an event must meet to be sent. All must hold: `claims` (conditions by property), `entity_type`, ' +
    '`sources`. Default: every event.',
  type: 'object',
  additionalProperties: true,
  example: { claims: { title: { contains: 'VP', min_confidence: 0.7, fresh: true } } },
} as const;

const HEADERS_PROPERTY = {
  description:
    `Headers to send with every request, up to ${MAX_TRIGGER_HEADERS}, such as a token of the receiver. Their values ` +
    'are never returned.',
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 1000 },
  example: { 'X-Team': 'sales' },
} as const;

const FORMAT_PROPERTY = {
  description:
    'Format of the payload: `standard` (Standard Webhooks), or `slack` for the address of a Slack incoming webhook.',
  enum: ['standard', 'slack'],
  example: 'standard',
} as const;

/** The body of POST /v2/workspace/triggers. */
export class SetTrigger {
  @ApiPropertyOptional({
    description: 'HTTPS URL that events are sent to. Required. Its host must resolve to a public address.',
    maxLength: MAX_TRIGGER_URL_LENGTH,
    example: 'https://example.org/hooks',
  })
  @OptionalField()
  @IsString()
  @MaxLength(MAX_TRIGGER_URL_LENGTH)
  url?: string;

  @ApiPropertyOptional({
    description: 'Events to send, by their names in `available_events`. Required unless `event` is set.',
    type: 'array',
    items: { type: 'string', maxLength: MAX_EVENT_NAME_LENGTH },
    maxItems: MAX_TRIGGER_EVENTS,
    example: ['reply.received'],
  })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_TRIGGER_EVENTS)
  @IsString({ each: true })
  @MaxLength(MAX_EVENT_NAME_LENGTH, { each: true })
  events?: string[];

  @ApiPropertyOptional({
    description: 'Alias of `events` for a single event.',
    maxLength: MAX_EVENT_NAME_LENGTH,
    example: 'reply.received',
  })
  @OptionalField()
  @IsString()
  @MaxLength(MAX_EVENT_NAME_LENGTH)
  event?: string;

  @ApiPropertyOptional({
    description: 'Display name of the endpoint. Default: the host of the URL.',
    maxLength: MAX_TRIGGER_NAME_LENGTH,
    example: 'Slack',
  })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_TRIGGER_NAME_LENGTH)
  name?: string;

  @ApiPropertyOptional({ ...FILTER_PROPERTY })
  @OptionalField()
  @IsObject()
  filter?: Record<string, unknown>;

  @ApiPropertyOptional({ ...HEADERS_PROPERTY })
  @OptionalField()
  @IsObject()
  headers?: Record<string, string>;

  @ApiPropertyOptional({ ...FORMAT_PROPERTY, default: 'standard' })
  @OptionalField()
  @IsString()
  format?: string;

  @ApiPropertyOptional({
    description: 'Set to false to create the endpoint paused: events wait until it is resumed.',
    default: true,
    example: true,
  })
  @OptionalField()
  @IsBoolean()
  active?: boolean;

  @ApiPropertyOptional({
    description: 'Set to true to validate the endpoint without creating it.',
    default: false,
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  dry_run?: boolean;
}

/** Builds the body for the plugin's route. @throws HubError `url_and_events_required` */
export function toTriggerBody({ url, events = [], event, ...rest }: SetTrigger): Record<string, Json> {
  const { name, filter, headers, format, active } = rest;
  const all = [...new Set([...events, ...(event === undefined ? [] : [event])])];
  if (!url?.trim() || all.length === 0) throw new HubError('url_and_events_required');
  const given = Object.entries({ name, filter, headers, format, active }).filter(([, value]) => value !== undefined);
  return { url, events: all, ...(Object.fromEntries(given) as Record<string, Json>) };
}

/** The body of PATCH /v2/workspace/triggers/:id. Fields that are left out keep their value. */
export class ChangeTrigger {
  @ApiPropertyOptional({
    description: 'New HTTPS URL. Its host must resolve to a public address.',
    maxLength: MAX_TRIGGER_URL_LENGTH,
    example: 'https://example.org/hooks',
  })
  @OptionalField()
  @IsString()
  @MaxLength(MAX_TRIGGER_URL_LENGTH)
  url?: string;

  @ApiPropertyOptional({
    description: 'Events to send from now on. Replaces the whole list.',
    type: 'array',
    items: { type: 'string', maxLength: MAX_EVENT_NAME_LENGTH },
    maxItems: MAX_TRIGGER_EVENTS,
    example: ['reply.received'],
  })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_TRIGGER_EVENTS)
  @IsString({ each: true })
  @MaxLength(MAX_EVENT_NAME_LENGTH, { each: true })
  events?: string[];

  @ApiPropertyOptional({
    description: 'Display name of the endpoint; null removes it.',
    type: 'string',
    nullable: true,
    maxLength: MAX_TRIGGER_NAME_LENGTH,
    example: 'Slack',
  })
  @OptionalField()
  @ValidateIf((_, value) => value !== null)
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_TRIGGER_NAME_LENGTH)
  name?: string | null;

  @ApiPropertyOptional({ ...FILTER_PROPERTY })
  @OptionalField()
  @IsObject()
  filter?: Record<string, unknown>;

  @ApiPropertyOptional({ ...HEADERS_PROPERTY })
  @OptionalField()
  @IsObject()
  headers?: Record<string, string>;

  @ApiPropertyOptional({ ...FORMAT_PROPERTY })
  @OptionalField()
  @IsString()
  format?: string;

  @ApiPropertyOptional({
    description:
      'Set to false to pause delivery; events wait. Set to true to resume, also after the endpoint was disabled.',
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  active?: boolean;
}

/** The body of POST /v2/workspace/triggers/:id/rotate-secret. */
export class RotateTriggerSecret {
  @ApiPropertyOptional({
    description: 'Hours for which the previous secret stays valid beside the new one.',
    minimum: 0,
    maximum: 168,
    default: 24,
    example: 24,
  })
  @OptionalField()
  @IsNumber()
  @Min(0)
  @Max(168)
  overlap_hours?: number;
}

/** The body of POST /v2/workspace/triggers/:id/test. */
export class TestTrigger {
  @ApiPropertyOptional({
    description: 'Event to send a sample of. Default: the first event of the endpoint.',
    maxLength: MAX_EVENT_NAME_LENGTH,
    example: 'reply.received',
  })
  @OptionalField()
  @IsString()
  @MaxLength(MAX_EVENT_NAME_LENGTH)
  event?: string;
}

/** The body of POST /v2/workspace/triggers/:id/recover. */
export class RecoverTrigger {
  @ApiProperty({
    description: 'Deliveries that failed since this time are sent again: ISO 8601, at most 30 days ago.',
    format: 'date-time',
    example: '2026-11-18T09:00:00Z',
  })
  @IsInstant()
  since: string;
}

/** The query of GET /v2/workspace/triggers/:id/deliveries. */
export class TriggerDeliveriesQuery {
  @ApiPropertyOptional({
    description: 'Maximum number of deliveries on a page.',
    minimum: 1,
    maximum: 100,
    default: 50,
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page.', maxLength: 100 })
  @OptionalField()
  @IsString()
  @MaxLength(100)
  cursor?: string;
}
