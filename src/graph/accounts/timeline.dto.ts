import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, MaxLength, Min } from 'class-validator';
import { canonicalEvent, canonicalProperty, listEventNames } from '#domain/properties/registry.js';
import { parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { IsInstant, NotBlank, OptionalField, ToInt } from '#kernel/http/validation.decorators.js';
import { TimelineItemDto } from './account-details.dto.js';
import { DEFAULT_TIMELINE_LIMIT, MAX_TIMELINE_LIMIT } from './account-query.dto.js';
import type { TimelineRequest } from './timeline.service.js';

const KINDS = ['event', 'state'] as const;
const EVENT_PREFIX = 'interaction.';

/** Query of GET /v2/accounts/:id/timeline. */
export class TimelineParameters {
  @ApiPropertyOptional({ enum: KINDS, description: 'Return only events, or only stated facts.' })
  @OptionalField()
  @IsIn(KINDS)
  kind?: (typeof KINDS)[number];

  @ApiPropertyOptional({
    description: 'Return only observations of this property or event, such as `title` or `email_replied`.',
    maxLength: 200,
  })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(200)
  property?: string;

  @ApiPropertyOptional({ description: 'Return only what this source stated, such as `crm:hubspot`.', maxLength: 100 })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(100)
  source?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Return only what happened or was observed at or after this time, ISO 8601.',
  })
  @OptionalField()
  @IsInstant()
  since?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Return only what happened or was observed before this time, ISO 8601. Default: now.',
  })
  @OptionalField()
  @IsInstant()
  until?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only what had been recorded by this time, ISO 8601. Default: now.',
  })
  @OptionalField()
  @IsInstant()
  known_at?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: DEFAULT_TIMELINE_LIMIT,
    minimum: 1,
    maximum: MAX_TIMELINE_LIMIT,
    description: 'Maximum number of observations. Values above the maximum are treated as the maximum.',
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page.', maxLength: 500 })
  @OptionalField()
  @IsString()
  @MaxLength(500)
  cursor?: string;
}

/** The request that a query stands for. @throws HubError `invalid_request` for times in the wrong order. */
export function toTimelineRequest(query: TimelineParameters): TimelineRequest {
  const { kind, property, source, since, until, known_at, limit = DEFAULT_TIMELINE_LIMIT, cursor } = query;
  const bounds = { since: toInstant(since), until: toInstant(until) };
  if (bounds.since !== undefined && bounds.until !== undefined && bounds.since >= bounds.until)
    throw HubError.invalidField('since', 'since must be before until.');
  return {
    ...bounds,
    kind,
    properties: property === undefined ? undefined : toStoredNames(property),
    source,
    knownAt: toInstant(known_at),
    limit: Math.min(limit, MAX_TIMELINE_LIMIT),
    cursor,
  };
}

function toInstant(text: string | undefined) {
  return text === undefined ? undefined : parseInstant(text);
}

/** Returns the names under which the log may have a property or an event. */
function toStoredNames(name: string): string[] {
  const event = canonicalEvent(name.startsWith(EVENT_PREFIX) ? name : EVENT_PREFIX + name);
  return [...new Set([name, canonicalProperty(name), ...listEventNames(event)])];
}

/** A page of a timeline. */
export class TimelinePage {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the person or company.' })
  entity_id: string;
  @ApiProperty({
    type: [TimelineItemDto],
    maxItems: MAX_TIMELINE_LIMIT,
    description: "Observations, newest first. A company's include events of its people, marked with `person_id`.",
  })
  observations: TimelineItemDto[];
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_TIMELINE_LIMIT,
    example: DEFAULT_TIMELINE_LIMIT,
    description: 'Maximum number of observations on a page.',
  })
  limit: number;
  @ApiProperty({ description: 'Whether another page exists.', example: false }) has_more: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 500,
    description: 'Cursor of the next page. Null on the last page.',
    example: null,
  })
  next_cursor: string | null;
}
