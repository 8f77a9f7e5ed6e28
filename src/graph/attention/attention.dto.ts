import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { ToInt, IsInstant } from '#kernel/http/validation.decorators.js';
import { ATTENTION_KINDS } from '#domain/attention/attention-item.js';
import { ITEM_STATES, type ItemState } from '#domain/attention/attention-mark.js';
import { DEFAULT_ATTENTION_LIMIT, MAX_ATTENTION_LIMIT } from './attention-request.js';
import { MAX_ITEM_PEOPLE } from './attention.presenter.js';
import { AttentionMarkDto } from './marks.dto.js';

/** The company of an attention item. */
export class AttentionCompanyDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'ID of the company.' })
  id: string;
  @ApiProperty({
    type: String,
    example: 'Acme',
    nullable: true,
    description: 'Display name: the name, else the domain. Null if neither is known.',
  })
  name: string | null;
}

/** The subject of an attention item. */
export class AttentionEntityDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the entity.' })
  id: string;
  @ApiProperty({ enum: ['person', 'company'], description: 'Whether the subject is a person or a company.' })
  type: string;
  @ApiProperty({ type: String, example: 'Ada Lovelace', nullable: true, description: 'Display name. Null if unknown.' })
  name: string | null;
  @ApiProperty({
    type: AttentionCompanyDto,
    nullable: true,
    description: 'Company of the person. Null for companies, and if unknown.',
  })
  company: AttentionCompanyDto | null;
}

/** The recommended next step. */
export class SuggestedActionDto {
  @ApiProperty({
    type: String,
    example: 'work now',
    nullable: true,
    description: 'Play of the latest score. Null if not scored.',
  })
  play: string | null;
  @ApiProperty({ type: String, example: 'Get in touch today.', description: 'Recommended next step, in one sentence.' })
  action: string;
  @ApiPropertyOptional({ type: [String], description: 'Properties to find out first. Omitted if there are none.' })
  missing?: string[];
}

const ENTITY = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const COUNT = { type: 'integer', format: 'int32', minimum: 0, maximum: 10_000 } as const;

/** The query of GET /v2/attention. */
export class AttentionQueryDto {
  @ApiPropertyOptional({
    description: `Only these kinds, separated by commas: ${ATTENTION_KINDS.join(', ')}.`,
    maxLength: 200,
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  kinds?: string;

  @ApiPropertyOptional({
    description: 'Return the items that are open, those that were snoozed, or those that were marked as done.',
    enum: ITEM_STATES,
    default: 'open',
  })
  @IsOptional()
  @IsIn(ITEM_STATES)
  state?: ItemState;

  @ApiPropertyOptional({
    type: 'integer',
    format: 'int32',
    default: DEFAULT_ATTENTION_LIMIT,
    minimum: 1,
    maximum: MAX_ATTENTION_LIMIT,
    description: 'Maximum number of items on a page. Values above the maximum are treated as the maximum.',
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({
    description: '`next_cursor` of the previous page, with otherwise unchanged parameters.',
    maxLength: 1000,
  })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  cursor?: string;

  @ApiPropertyOptional({
    description: 'Return only items of entities whose `owner` property has this value.',
    maxLength: 200,
  })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  owner?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description:
      "Time to evaluate from, ISO 8601, using today's facts. A future time shows what will need attention " +
      'then. Default: now.',
    maxLength: 40,
  })
  @IsOptional()
  @IsInstant()
  as_of?: string;
}

/** Somebody that an item about a company stands for. */
export class AttentionPersonDto {
  @ApiProperty({ description: 'Person, or the company itself.', format: 'uuid', example: ENTITY }) entity_id: string;
  @ApiProperty({
    description: 'Name of the person. Null if unknown.',
    type: String,
    nullable: true,
    example: 'Ada Lovelace',
  })
  entity_name: string | null;
  @ApiProperty({
    description: 'What needs attention about this person, in one sentence without the name.',
    example: 'Has been quiet for 12 days; 7 would be usual.',
  })
  what: string;
  @ApiProperty({ description: 'Recommended next step, in one sentence.', example: 'Get in touch again.' })
  suggested_action: string;
  @ApiProperty({ description: 'Urgency for this person, 0 to 100.', minimum: 0, maximum: 100, example: 68.6 })
  urgency: number;
  @ApiProperty({
    description: 'Time of the last contact with this person, ISO 8601.',
    format: 'date-time',
    example: '2026-11-08T09:30:00.000000Z',
  })
  since: string;
}

/** Something that wants attention. */
export class AttentionItemDto {
  @ApiProperty({
    description: 'Stable identifier of the item; the same for the same matter across calls.',
    example: `going_dark:${ENTITY}:silence`,
  })
  id: string;
  @ApiProperty({ description: 'Reason why the entity needs attention.', enum: ATTENTION_KINDS, example: 'going_dark' })
  kind: string;
  @ApiProperty({ description: 'Person or company that the item is about.', format: 'uuid', example: ENTITY })
  entity_id: string;
  @ApiProperty({
    description: 'Name of the entity. Null if unknown.',
    type: String,
    nullable: true,
    example: 'Ada Lovelace',
  })
  entity_name: string | null;
  @ApiProperty({
    description: 'Whether the entity is a person or a company.',
    enum: ['person', 'company'],
    example: 'person',
  })
  entity_type: string;
  @ApiProperty({ type: AttentionEntityDto, description: 'Short form of the entity.' })
  entity: AttentionEntityDto;
  @ApiProperty({
    description: 'What needs attention, in one sentence without the name.',
    example: 'Has been quiet for 12 days; 7 would be usual.',
  })
  what: string;
  @ApiProperty({
    description: 'What needs attention, in one sentence with the name, for display.',
    example: 'Ada Lovelace has been quiet for 12 days; 7 would be usual.',
  })
  headline: string;
  @ApiProperty({ description: 'Recommended next step, in one sentence.', example: 'Get in touch again, or close it.' })
  suggested_action: string;
  @ApiProperty({ type: SuggestedActionDto, description: 'Recommended next step in structured form.' })
  suggested: SuggestedActionDto;
  @ApiProperty({
    description: 'Urgency of the item, 0 to 100. Items are sorted by it.',
    minimum: 0,
    maximum: 100,
    example: 68.6,
  })
  urgency: number;
  @ApiProperty({
    description: 'Time since which it needs attention, ISO 8601.',
    format: 'date-time',
    example: '2026-11-08T09:30:00.000000Z',
  })
  since: string;
  @ApiProperty({
    description: 'Whole days since `since`.',
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: 200_000,
    example: 12,
  })
  age_days: number;
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Time of the meeting or due date, ISO 8601. Omitted for other kinds.',
  })
  when?: string;
  @ApiProperty({
    type: [String],
    maxItems: 10,
    description: 'IDs of the observations behind the item, at most 10.',
    example: [],
  })
  evidence: string[];
  @ApiProperty({
    type: AttentionMarkDto,
    nullable: true,
    description: 'Who snoozed the item or marked it as done. Null for an open item.',
    example: null,
  })
  mark: AttentionMarkDto | null;
  @ApiPropertyOptional({
    type: [AttentionPersonDto],
    maxItems: MAX_ITEM_PEOPLE,
    description:
      'If several people of one company went quiet, the item is about the company, and these are the people it stands ' +
      'for, most urgent first, at most 20. Omitted for other items.',
  })
  people?: AttentionPersonDto[];
}

/** How many of the candidates want attention. */
export class AttentionMetaDto {
  @ApiProperty({ ...COUNT, description: 'Number of entities that went quiet.', example: 1 }) going_dark: number;
  @ApiProperty({ ...COUNT, description: 'Number of important facts that are out of date.', example: 0 })
  decayed_facts: number;
  @ApiProperty({ ...COUNT, description: 'Number of meetings in the next seven days.', example: 0 })
  upcoming_meetings: number;
  @ApiProperty({ ...COUNT, description: 'Number of open commitments and action items.', example: 0 })
  open_commitments: number;
  @ApiProperty({ ...COUNT, description: 'Number of replies that wait for an answer.', example: 0 })
  unanswered_replies: number;
  @ApiProperty({ ...COUNT, description: 'Number of callbacks that are due.', example: 0 }) callbacks_due: number;
  @ApiProperty({ ...COUNT, description: 'Number of commitments that are overdue or due within a day.', example: 0 })
  commitments_due: number;
  @ApiProperty({ ...COUNT, description: 'Number of meetings whose outcome is not recorded.', example: 0 })
  meetings_without_outcome: number;
  @ApiProperty({ ...COUNT, description: 'Number of claims on which sources disagree.', example: 0 })
  contested_claims: number;
  @ApiProperty({ ...COUNT, description: 'Number of proposed merges that await a decision.', example: 0 })
  merge_proposals: number;
  @ApiProperty({ ...COUNT, description: 'Number of leads whose play changed within a week.', example: 0 })
  plays_changed: number;
  @ApiProperty({ ...COUNT, description: 'Number of leads with the play `work now`.', example: 0 }) work_now: number;
  @ApiProperty({ ...COUNT, description: 'Number of items over all kinds.', example: 1 }) total: number;
}

/** Response of GET /v2/attention. */
export class AttentionPage {
  @ApiProperty({
    description: 'Items on this page, most urgent first.',
    type: [AttentionItemDto],
    maxItems: MAX_ATTENTION_LIMIT,
  })
  items: AttentionItemDto[];
  @ApiProperty({ description: 'Number of items per kind, before paging.', type: AttentionMetaDto })
  meta: AttentionMetaDto;
  @ApiProperty({
    description: 'Maximum number of items on a page.',
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_ATTENTION_LIMIT,
    example: 25,
  })
  limit: number;
  @ApiProperty({ description: 'Whether another page exists.', example: false }) has_more: boolean;
  @ApiProperty({
    description: 'Cursor of the next page. Null on the last page.',
    type: String,
    nullable: true,
    example: null,
  })
  next_cursor: string | null;
  @ApiProperty({ format: 'date-time', description: 'Time that the items were evaluated for, ISO 8601.' })
  generated_at: string;
}
