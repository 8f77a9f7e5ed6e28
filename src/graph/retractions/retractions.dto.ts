import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { ActorDto } from '#kernel/auth/actor.dto.js';
import { OptionalField, ToInt } from '#kernel/http/validation.decorators.js';
import { MAX_RETRACTED_ROWS, MAX_SOURCE_LENGTH } from './retraction-request.js';

const ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const SOURCE = 'csv:9f86d081884c7d65';
/** Maximum number of retractions on a page. */
const MAX_LIST_PAGE = 1_000;
/** Default number of retractions on a page. */
const DEFAULT_LIST_PAGE = 50;

/** Body of POST /v2/retractions. */
export class RetractRequest {
  @ApiProperty({
    description: 'Source whose statements are withdrawn, exactly as it was recorded. Not one of the hub (`system:…`).',
    maxLength: MAX_SOURCE_LENGTH,
    example: SOURCE,
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_SOURCE_LENGTH)
  source: string;

  @ApiPropertyOptional({
    description: 'Reason for the retraction, kept with it.',
    maxLength: 1000,
    example: 'The wrong file was imported',
  })
  @OptionalField()
  @IsString()
  @MaxLength(1000)
  reason?: string;

  @ApiPropertyOptional({
    description:
      'Time before which the source recorded nothing, ISO 8601. Makes the search shorter. Default: the beginning.',
    format: 'date-time',
    example: '2026-11-20T09:00:00Z',
  })
  @OptionalField()
  @IsString()
  since?: string;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page.', maxLength: 1000 })
  @OptionalField()
  @IsString()
  @MaxLength(1000)
  cursor?: string;

  @ApiPropertyOptional({
    description: 'Maximum number of observations, notes or leads that the call retracts.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_RETRACTED_ROWS,
    default: MAX_RETRACTED_ROWS,
    example: 500,
  })
  @OptionalField()
  @IsInt()
  @Min(1)
  @Max(MAX_RETRACTED_ROWS)
  limit?: number;

  @ApiPropertyOptional({
    description: 'Set to true to return the counts without changing anything.',
    default: false,
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  dry_run?: boolean;
}

/** Body of POST /v2/observations/:id/retract. */
export class RetractObservation {
  @ApiPropertyOptional({
    description: 'Reason for the retraction, kept with it.',
    maxLength: 1000,
    example: 'Stated by mistake',
  })
  @OptionalField()
  @IsString()
  @MaxLength(1000)
  reason?: string;

  @ApiPropertyOptional({
    description: 'Set to true to return the counts without changing anything.',
    default: false,
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  dry_run?: boolean;
}

/** Response of POST /v2/retractions. */
export class RetractionResult {
  @ApiProperty({ description: 'ID of the retraction, the same on all its pages.', format: 'uuid', example: ID })
  retraction_id: string;
  @ApiProperty({ description: 'Source whose statements were withdrawn.', example: SOURCE })
  source: string;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Observations that this page has retracted.', example: 420 })
  observations: number;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Notes that this page has retracted.', example: 0 })
  notes: number;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Leads that this page has removed. Leads that somebody has worked stay.',
    example: 0,
  })
  leads: number;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'People and companies that this page has removed because nothing else is known about them.',
    example: 100,
  })
  entities_removed: number;
  @ApiProperty({ description: 'Whether there may be more to retract.', example: true })
  has_more: boolean;
  @ApiProperty({
    description: 'Value of `cursor` for the next call. Null when everything is retracted.',
    type: String,
    nullable: true,
    example: null,
  })
  next_cursor: string | null;
  @ApiProperty({ description: 'Whether this was a dry run, which changes nothing.', example: false })
  dry_run: boolean;
}

/** Query of GET /v2/retractions. */
export class RetractionsQuery {
  @ApiPropertyOptional({
    type: 'integer',
    description: `Maximum number of retractions on a page. Values above ${MAX_LIST_PAGE} are treated as ${MAX_LIST_PAGE}.`,
    minimum: 1,
    maximum: MAX_LIST_PAGE,
    default: DEFAULT_LIST_PAGE,
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page.', maxLength: 100 })
  @OptionalField()
  @IsString()
  @MaxLength(100)
  cursor?: string;
}

/** A retraction that was made. */
class Retraction {
  @ApiProperty({ description: 'ID of the retraction.', format: 'uuid', example: ID })
  id: string;
  @ApiProperty({ description: 'Source whose statements were withdrawn.', example: SOURCE })
  source: string;
  @ApiProperty({ description: 'Reason that was given.', type: String, nullable: true, example: 'The wrong file' })
  reason: string | null;
  @ApiProperty({ type: () => ActorDto, description: 'Actor that withdrew them.' })
  actor: ActorDto;
  @ApiProperty({
    description: 'Time of the first page, ISO 8601.',
    format: 'date-time',
    example: '2026-11-20T09:00:00.000000Z',
  })
  retracted_at: string;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Observations that were retracted.', example: 420 })
  observations: number;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Notes that were retracted.', example: 0 })
  notes: number;
}

/** Response of GET /v2/retractions. */
export class RetractionPage {
  @ApiProperty({ type: [Retraction], description: 'Retractions of this page, newest first.' })
  retractions: Retraction[];
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Maximum number of retractions per page.', example: 20 })
  limit: number;
  @ApiProperty({ description: 'Whether older retractions follow.', example: false })
  has_more: boolean;
  @ApiProperty({
    description: 'Value of `cursor` for the next page. Null on the last page.',
    type: String,
    nullable: true,
    example: null,
  })
  next_cursor: string | null;
}

/** The page that a query selects. */
export function toRetractionsPage({ cursor, limit = DEFAULT_LIST_PAGE }: RetractionsQuery) {
  return { before: cursor, limit: Math.min(limit, MAX_LIST_PAGE) };
}
