import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsNotEmpty, IsObject, IsString, MaxLength } from 'class-validator';
import type { Json } from '#sdk/json.js';
import { CanBeLeftOut } from '../../http/can-be-left-out.js';
import { HubError } from '#kernel/errors/errors.js';

/** Longest address, longest name of an event, most events. */
export const MAX_URL = 2048;
export const MAX_EVENT = 80;
export const MAX_EVENTS = 50;
export const MAX_NAME = 200;

const ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** The body of POST /v2/workspace/triggers. */
export class SetTriggerDto {
  @ApiPropertyOptional({
    description: 'Address that events are sent to. Required.',
    maxLength: MAX_URL,
    example: 'https://example.org/hooks',
  })
  @CanBeLeftOut()
  @IsString()
  @MaxLength(MAX_URL)
  url?: string;

  @ApiPropertyOptional({
    description: 'Events that it is told of, by the names that `available_events` lists. Required.',
    type: 'array',
    items: { type: 'string', maxLength: MAX_EVENT },
    maxItems: MAX_EVENTS,
    example: ['reply.received'],
  })
  @CanBeLeftOut()
  @IsArray()
  @ArrayMaxSize(MAX_EVENTS)
  @IsString({ each: true })
  @MaxLength(MAX_EVENT, { each: true })
  events?: string[];

  @ApiPropertyOptional({
    description: 'The same as `events` with one entry.',
    maxLength: MAX_EVENT,
    example: 'reply.received',
  })
  @CanBeLeftOut()
  @IsString()
  @MaxLength(MAX_EVENT)
  event?: string;

  @ApiPropertyOptional({ description: 'What it is called.', maxLength: MAX_NAME, example: 'Slack' })
  @CanBeLeftOut()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_NAME)
  name?: string;

  @ApiPropertyOptional({
    description: 'Only events that fit it.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  @CanBeLeftOut()
  @IsObject()
  filter?: Record<string, unknown>;

  @ApiPropertyOptional({ description: 'Check it, and set nothing.', default: false, example: false })
  @CanBeLeftOut()
  @IsBoolean()
  dry_run?: boolean;
}

/** What the plugin is asked for. @throws HubError `url_and_events_required` */
export function triggerOf({ url, events = [], event, name, filter }: SetTriggerDto): Record<string, Json> {
  const all = [...new Set([...events, ...(event === undefined ? [] : [event])])];
  if (!url?.trim() || all.length === 0) throw new HubError('url_and_events_required');
  return { url, events: all, ...(name && { name }), ...(filter && { filter: filter as Json }) };
}

/** A trigger: an address that is told of events. */
export class TriggerDto {
  @ApiProperty({ format: 'uuid', example: ID }) id: string;
  @ApiProperty({ maxLength: MAX_URL, example: 'https://example.org/hooks' }) url: string;
  @ApiProperty({ type: [String], maxItems: MAX_EVENTS, example: ['reply.received'] }) events: string[];
}

/** The answer of GET /v2/workspace/triggers. */
export class TriggersDto {
  @ApiProperty({ type: [TriggerDto], maxItems: 1000 }) triggers: TriggerDto[];
  @ApiPropertyOptional({ type: [String], maxItems: 100, description: 'Names of events.', example: ['reply.received'] })
  available_events?: string[];
}

/** The answer of POST /v2/workspace/triggers. */
export class TriggerSetDto {
  @ApiPropertyOptional({ example: true }) ok?: boolean;
  @ApiPropertyOptional({
    description: 'The trigger, with its signing secret, which is shown this once.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  trigger?: object;
  @ApiPropertyOptional({ example: false }) dry_run?: boolean;
}
