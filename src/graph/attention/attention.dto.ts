import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsNotEmpty, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { ToInt } from '#kernel/http/to-int.decorator.js';
import { ATTENTION_KINDS } from '#domain/attention/attention-item.js';
import { IsInstant } from '#kernel/http/is-instant.decorator.js';
import { DEFAULT_ATTENTION_LIMIT, MAX_ATTENTION_LIMIT } from './attention-request.js';

const ENTITY = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const COUNT = { type: 'integer', format: 'int32', minimum: 0, maximum: 10_000 } as const;

/** The query of GET /v2/attention. */
export class AttentionQueryDto {
  @ApiPropertyOptional({
    description: `Only these kinds, separated by commas: ${ATTENTION_KINDS.join(', ')}.`,
    maxLength: 200,
    example: 'going_dark,decayed_fact',
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  kinds?: string;

  @ApiPropertyOptional({
    type: 'integer',
    format: 'int32',
    default: DEFAULT_ATTENTION_LIMIT,
    minimum: 1,
    maximum: MAX_ATTENTION_LIMIT,
    description: 'Items on a page; more than the maximum is taken as the maximum.',
    example: DEFAULT_ATTENTION_LIMIT,
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the page before.', maxLength: 1000, example: 'WyJ4Il0' })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  cursor?: string;

  @ApiPropertyOptional({ description: 'Only those whose `owner` this is.', maxLength: 200, example: 'bo@acme.com' })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  owner?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Look from then, with the facts of today: what will want attention on Monday. Default: now.',
    maxLength: 40,
    example: '2026-11-23T08:00:00Z',
  })
  @IsOptional()
  @IsInstant()
  as_of?: string;
}

/** Something that wants attention. */
export class AttentionItemDto {
  @ApiProperty({ description: 'The same for the same thing.', example: `going_dark:${ENTITY}:silence` }) id: string;
  @ApiProperty({ enum: ATTENTION_KINDS, example: 'going_dark' }) kind: string;
  @ApiProperty({ format: 'uuid', example: ENTITY }) entity_id: string;
  @ApiProperty({ type: String, nullable: true, example: 'Ada Lovelace' }) entity_name: string | null;
  @ApiProperty({ enum: ['person', 'company'], example: 'person' }) entity_type: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { id: ENTITY, type: 'person', name: 'Ada Lovelace' },
  })
  entity: object;
  @ApiProperty({ example: 'Has been quiet for 12 days; 7 would be usual.' }) what: string;
  @ApiProperty({ example: 'Ada Lovelace has been quiet for 12 days; 7 would be usual.' }) headline: string;
  @ApiProperty({ example: 'Get in touch again, or close it.' }) suggested_action: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: '`{play, action, missing?}`: the play by the last score, and facts to find out again.',
    example: { play: 'work now', action: 'Get in touch today.' },
  })
  suggested: object;
  @ApiProperty({ minimum: 0, maximum: 100, example: 68.6 }) urgency: number;
  @ApiProperty({ format: 'date-time', example: '2026-11-08T09:30:00.000000Z' }) since: string;
  @ApiProperty({ type: 'integer', format: 'int32', minimum: 0, maximum: 200_000, example: 12 }) age_days: number;
  @ApiPropertyOptional({ format: 'date-time', description: 'When a meeting takes place, or something is due.' })
  when?: string;
  @ApiProperty({ type: [String], maxItems: 10, description: 'Observations it rests on.', example: [] })
  evidence: string[];
}

/** How many of the candidates want attention. */
export class AttentionMetaDto {
  @ApiProperty({ ...COUNT, example: 1 }) going_dark: number;
  @ApiProperty({ ...COUNT, example: 0 }) decayed_facts: number;
  @ApiProperty({ ...COUNT, example: 0 }) upcoming_meetings: number;
  @ApiProperty({ ...COUNT, example: 0 }) open_commitments: number;
  @ApiProperty({ ...COUNT, example: 0 }) contested_claims: number;
  @ApiProperty({ ...COUNT, example: 0 }) merge_proposals: number;
  @ApiProperty({ ...COUNT, example: 0 }) plays_changed: number;
  @ApiProperty({ ...COUNT, example: 0 }) work_now: number;
  @ApiProperty({ ...COUNT, example: 1 }) total: number;
}

/** The answer of GET /v2/attention. */
export class AttentionPage {
  @ApiProperty({ type: [AttentionItemDto], maxItems: MAX_ATTENTION_LIMIT }) items: AttentionItemDto[];
  @ApiProperty({ type: AttentionMetaDto }) meta: AttentionMetaDto;
  @ApiProperty({ type: 'integer', format: 'int32', minimum: 1, maximum: MAX_ATTENTION_LIMIT, example: 25 })
  limit: number;
  @ApiProperty({ example: false }) has_more: boolean;
  @ApiProperty({ type: String, nullable: true, example: null }) next_cursor: string | null;
  @ApiProperty({ format: 'date-time', description: 'The time that was looked from.' }) generated_at: string;
}
