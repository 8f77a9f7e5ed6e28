import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { Note, NotePreviewDto } from '../notes/notes-response.dto.js';
import { MAX_TIMELINE_LIMIT } from './account-query.dto.js';
import {
  AccountEntityDto,
  AccountIdentifierDto,
  ActivitySummaryDto,
  CommitteeDto,
  KeyActivityDto,
  ScoreHistoryDto,
  StakeholderDto,
  TimelineItemDto,
} from './account-details.dto.js';
import { ClaimDto } from '../claims/claim.dto.js';

/** Somebody of a company. */
export class CompanyPersonDto {
  @ApiProperty({ description: 'Unique identifier of the person.', format: 'uuid' }) entity_id: string;
  @ApiProperty({ description: 'Full name. Null if unknown.', type: String, nullable: true, example: 'Ada Lovelace' })
  name: string | null;
  @ApiProperty({ description: 'Job title. Null if unknown.', type: String, nullable: true, example: 'VP Sales' })
  title: string | null;
  @ApiProperty({
    description: 'Primary e-mail address. Null if unknown.',
    type: String,
    nullable: true,
    example: 'ada@acme.com',
  })
  email: string | null;
  @ApiProperty({ description: 'Pipeline stage. Null if unknown.', type: String, nullable: true, example: 'evaluating' })
  stage: string | null;
}

/** A signal or a single note as a sentence. */
export class FactSentenceDto {
  @ApiProperty({
    description: 'Property that the sentence comes from, such as `signal.hiring`.',
    example: 'signal.hiring',
  })
  category: string;
  @ApiProperty({ description: 'The fact as a sentence.', example: 'Hires three account executives in Berlin' })
  content: string;
  @ApiProperty({ description: 'Time at which the fact was observed, ISO 8601.', format: 'date-time' }) date: string;
}

/** The score that was last recorded of an account. */
export class AccountScore {
  @ApiProperty({
    description: 'Fit score, 0 to 100. Null if unknown.',
    type: 'integer',
    minimum: 0,
    maximum: 100,
    nullable: true,
    example: 82,
  })
  score: number | null;
  @ApiProperty({
    description: 'Whether the score is at least 70. Null if unknown.',
    type: Boolean,
    nullable: true,
    example: true,
  })
  fit: boolean | null;
  @ApiProperty({
    description: 'Tier that the score falls into, such as `tier_1`. Null if unknown.',
    type: String,
    nullable: true,
    example: 'tier_2',
  })
  tier: string | null;
  @ApiProperty({
    description: 'Recommended play and the rule that decided it. Null if not scored.',
    type: String,
    nullable: true,
    example: 'work now (P8)',
  })
  reason: string | null;
  @ApiProperty({ description: 'Time at which the score was computed, ISO 8601.', format: 'date-time' })
  scored_at: string;
  @ApiProperty({ type: [ScoreHistoryDto], description: 'Previous scores, newest first.' })
  history: ScoreHistoryDto[];
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Reserved for a score learned from outcomes; always null at present.',
    example: null,
  })
  outcome_score: null;
}

/** Response of GET /v2/accounts/:id. */
@ApiExtraModels(ClaimDto)
export class AccountDto {
  @ApiProperty({ description: 'Unique identifier of the person or company.', format: 'uuid' }) entity_id: string;
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Present if the requested ID was merged into this entity: the ID to use from now on.',
  })
  merged_into?: string;
  @ApiProperty({ description: 'Whether the entity is a person or a company.', enum: ['person', 'company'] })
  type: string;
  @ApiProperty({ description: 'Display name. Null if unknown.', type: String, nullable: true, example: 'Ada Lovelace' })
  name: string | null;
  @ApiProperty({ type: AccountEntityDto, description: 'The entity with its company, age and latest activity.' })
  entity: AccountEntityDto;
  @ApiProperty({
    type: [AccountIdentifierDto],
    description: 'Identifiers that resolve to the entity, such as e-mail addresses, domains and LinkedIn URLs.',
  })
  identifiers: AccountIdentifierDto[];
  @ApiProperty({
    oneOf: [
      { type: 'object', additionalProperties: { $ref: getSchemaPath(ClaimDto) } },
      { type: 'array', items: { $ref: getSchemaPath(ClaimDto) } },
    ],
    description: 'Claims by property. With `claims=list`, a flat array of claims instead.',
    example: {},
  })
  claims: object;
  @ApiPropertyOptional({
    type: [TimelineItemDto],
    maxItems: MAX_TIMELINE_LIMIT,
    description:
      "Timeline, newest first. A company's timeline includes events of its people, marked with `person_id`. " +
      'Omitted with `compress`.',
  })
  recent_observations?: TimelineItemDto[];
  @ApiProperty({
    type: [Note],
    maxItems: 20,
    description: 'Newest notes with their full content, at most 20. Use `GET /v2/notes` for older ones.',
  })
  notes: Note[];
  @ApiProperty({ type: [NotePreviewDto], maxItems: 8, description: 'Previews of the newest notes, at most 8.' })
  documents: NotePreviewDto[];
  @ApiProperty({
    type: [FactSentenceDto],
    maxItems: 15,
    description: 'Signals (`signal.*`) and single notes (`note.*`) as sentences, newest first.',
  })
  facts: FactSentenceDto[];
  @ApiPropertyOptional({
    type: AccountScore,
    description: 'Latest recorded score. Omitted if the account was never scored.',
  })
  icp?: AccountScore;
  @ApiPropertyOptional({
    type: [CompanyPersonDto],
    maxItems: 50,
    description: 'Only for a company: its most recently active people, at most 50.',
  })
  people?: CompanyPersonDto[];
  @ApiPropertyOptional({
    description: 'Only for a company: number of people who belong to it.',
    type: 'integer',
    minimum: 0,
    example: 3,
  })
  people_count?: number;
  @ApiPropertyOptional({
    type: [KeyActivityDto],
    maxItems: 24,
    description: 'Most relevant activity for the intent. Only with `intent` or `compress`.',
  })
  key_activity?: KeyActivityDto[];
  @ApiPropertyOptional({
    type: ActivitySummaryDto,
    description: 'Counts over the whole timeline. Only with `intent` or `compress`.',
  })
  activity_summary?: ActivitySummaryDto;
  @ApiPropertyOptional({
    type: [StakeholderDto],
    maxItems: 50,
    description: 'Other people of the same company. Only with `intent` or `compress`.',
  })
  stakeholders?: StakeholderDto[];
  @ApiPropertyOptional({
    type: CommitteeDto,
    nullable: true,
    description: 'Buying committee of the company. Null if no company is known. Only with `intent` or `compress`.',
  })
  committee?: CommitteeDto | null;
  @ApiProperty({ description: 'Maximum number of observations on a page.', type: 'integer', example: 50 })
  limit: number;
  @ApiProperty({ description: 'Whether older observations exist.' }) has_more: boolean;
  @ApiProperty({
    description: 'Cursor of the next timeline page. Null on the last page.',
    type: String,
    nullable: true,
  })
  next_cursor: string | null;
  @ApiProperty({ description: 'Time for which the facts hold, ISO 8601.', format: 'date-time' }) as_of: string;
  @ApiProperty({ description: 'Recording time up to which observations were used, ISO 8601.', format: 'date-time' })
  known_at: string;
}
