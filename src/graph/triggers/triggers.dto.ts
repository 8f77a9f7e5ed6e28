import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsNotEmpty, IsObject, IsString, MaxLength } from 'class-validator';
import type { Json } from '#sdk/json.js';
import { OptionalField } from '#kernel/http/optional-field.decorator.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** Longest address, longest name of an event, most events. */
export const MAX_TRIGGER_URL_LENGTH = 2048;
export const MAX_EVENT_NAME_LENGTH = 80;
export const MAX_TRIGGER_EVENTS = 50;
export const MAX_TRIGGER_NAME_LENGTH = 200;

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

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

  @ApiPropertyOptional({
    description: 'Conditions that an event must meet to be sent. Default: every event.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  @OptionalField()
  @IsObject()
  filter?: Record<string, unknown>;

  @ApiPropertyOptional({
    description: 'Set to true to validate the endpoint without creating it.',
    default: false,
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  dry_run?: boolean;
}

/** What the plugin is asked for. @throws HubError `url_and_events_required` */
export function toTriggerBody({ url, events = [], event, name, filter }: SetTrigger): Record<string, Json> {
  const all = [...new Set([...events, ...(event === undefined ? [] : [event])])];
  if (!url?.trim() || all.length === 0) throw new HubError('url_and_events_required');
  return { url, events: all, ...(name && { name }), ...(filter && { filter: filter as Json }) };
}

/** A trigger: an address that is told of events. */
export class Trigger {
  @ApiProperty({ description: 'Unique identifier of the webhook endpoint.', format: 'uuid', example: EXAMPLE_ID })
  id: string;
  @ApiProperty({
    description: 'URL that events are sent to.',
    maxLength: MAX_TRIGGER_URL_LENGTH,
    example: 'https://example.org/hooks',
  })
  url: string;
  @ApiProperty({
    description: 'Names of the events that are sent.',
    type: [String],
    maxItems: MAX_TRIGGER_EVENTS,
    example: ['reply.received'],
  })
  events: string[];
}

/** Response of GET /v2/workspace/triggers. */
export class TriggerList {
  @ApiProperty({ description: 'Webhook endpoints of the workspace.', type: [Trigger], maxItems: 1000 })
  triggers: Trigger[];
  @ApiPropertyOptional({
    type: [String],
    maxItems: 100,
    description: 'Event names that can be subscribed to.',
    example: ['reply.received'],
  })
  available_events?: string[];
}

/** Response of POST /v2/workspace/triggers. */
export class SetTriggerResult {
  @ApiPropertyOptional({ description: 'Whether the endpoint was created.', example: true }) ok?: boolean;
  @ApiPropertyOptional({
    description: 'The endpoint with its signing secret. The secret is returned only in this response.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  trigger?: object;
  @ApiPropertyOptional({ description: 'True if this was a dry run; omitted otherwise.', example: false })
  dry_run?: boolean;
}
