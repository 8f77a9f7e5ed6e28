import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { INTENTS, MIN_BUDGET_TOKENS, MAX_BUDGET_TOKENS } from '#domain/context/intents.js';
import { IsInstant } from '#kernel/http/validation.decorators.js';
import { IsStorable } from '../notes/notes.dto.js';
import { type ContextPart, CONTEXT_PARTS } from './context-request.js';
import { AccountScore } from '../accounts/accounts.dto.js';
import { CommitteeDto, StakeholderDto } from '../accounts/account-details.dto.js';
import {
  ContextClaimDto,
  ContextDocumentDto,
  ContextEntityDto,
  ContextEventCountDto,
  ContextEventDto,
  ContextFactDto,
  ContextItemRefDto,
  ContextMetaDto,
  ContextWorkspaceFactDto,
} from './context-items.dto.js';
import { focusProperty } from '../identity/focus.dto.js';

/** Longest task, in UTF-16 units. */
export const MAX_TASK_LENGTH = 2000;

/** The body of POST /v2/context. */
export class ContextRequestDto {
  @ApiProperty(
    focusProperty(
      'Subject: entity UUID, e-mail address, domain, LinkedIn URL or name. An ambiguous name returns candidates.',
    ),
  )
  @IsOptional()
  @IsString()
  @MaxLength(320)
  focus: string;

  @ApiPropertyOptional({
    enum: ['person', 'company'],
    description: 'Restricts a name lookup to people or companies.',
    example: 'person',
  })
  @IsOptional()
  @IsIn(['person', 'company'])
  type?: 'person' | 'company';

  @ApiPropertyOptional({
    description: 'Restricts a name lookup to people of this company, by its name or domain.',
    maxLength: 320,
    example: 'acme.com',
  })
  @IsOptional()
  @IsString()
  @MaxLength(320)
  company?: string;

  @ApiPropertyOptional({
    enum: INTENTS,
    default: 'account_review',
    description:
      'Purpose of the context. Sets the default budget, which properties rank higher, and whether people of ' +
      'the same company are included.',
    example: 'draft_email',
  })
  @IsOptional()
  @IsString()
  @MaxLength(40)
  intent?: string;

  @ApiPropertyOptional({
    description: 'Task the context is for, in your own words. Items close to it rank first. Default: a general brief.',
    maxLength: MAX_TASK_LENGTH,
    example: 'Answer her question about the price of the renewal',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_TASK_LENGTH)
  @IsStorable()
  task?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: MIN_BUDGET_TOKENS,
    maximum: MAX_BUDGET_TOKENS,
    description:
      'Maximum number of tokens in `text`. Default by intent: `account_review` 2000, `draft_email` 1200, ' +
      '`follow_up` 1500, `meeting_prep` 1800, `call_prep` 1800.',
    example: 1200,
  })
  @IsOptional()
  @IsInt()
  @Min(MIN_BUDGET_TOKENS)
  @Max(MAX_BUDGET_TOKENS)
  budget_tokens?: number;

  @ApiPropertyOptional({
    enum: CONTEXT_PARTS,
    isArray: true,
    maxItems: 5,
    description: 'Parts to include. Default: all.',
    example: ['claims'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(5)
  @IsIn(CONTEXT_PARTS, { each: true })
  include?: ContextPart[];

  @ApiPropertyOptional({
    minimum: 0,
    maximum: 1,
    default: 0,
    description: 'Omits claims below this confidence, 0 to 1. Warnings such as `do_not_contact` are always included.',
    example: 0.5,
  })
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  min_confidence?: number;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Use facts as they were in effect at this time, ISO 8601. Default: now.',
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

  @ApiPropertyOptional({
    default: false,
    description: 'Whether each item explains its ranking in `why`.',
    example: false,
  })
  @IsOptional()
  @IsBoolean()
  explain?: boolean;
}

/** Response of POST /v2/context. */
@ApiExtraModels(ContextEventDto, ContextEventCountDto)
export class ContextResult {
  @ApiProperty({ type: ContextEntityDto, description: 'The person or company that the context is about.' })
  entity: ContextEntityDto;
  @ApiProperty({ description: 'Intent that was applied.', enum: INTENTS }) intent: string;
  @ApiProperty({
    description: 'Name and role of the entity, followed by its three strongest claims.',
    maxLength: 1000,
    example: 'Ada Lovelace, VP Sales at Acme. Stage: evaluating.',
  })
  summary: string;
  @ApiProperty({ type: [ContextClaimDto], maxItems: 200, description: 'Selected claims, most useful first.' })
  claims: ContextClaimDto[];
  @ApiProperty({
    type: [ContextWorkspaceFactDto],
    maxItems: 200,
    description: "Passages from the workspace's own facts, such as pricing or positioning.",
  })
  workspace: ContextWorkspaceFactDto[];
  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ $ref: getSchemaPath(ContextEventDto) }, { $ref: getSchemaPath(ContextEventCountDto) }] },
    description:
      'Selected activity, newest first. `tier` is `full`, `brief`, or `count` for older events that are ' +
      'only counted.',
  })
  timeline: (ContextEventDto | ContextEventCountDto)[];
  @ApiProperty({
    type: [ContextFactDto],
    maxItems: 15,
    description: 'Signals and single notes as sentences, newest first.',
  })
  facts: ContextFactDto[];
  @ApiProperty({
    type: [ContextDocumentDto],
    maxItems: 16,
    description: 'Notes with their date, source and the relevant passage.',
  })
  documents: ContextDocumentDto[];
  @ApiProperty({
    type: [StakeholderDto],
    maxItems: 50,
    description: 'Other people of the same company. Empty if the intent does not include them.',
  })
  stakeholders: StakeholderDto[];
  @ApiProperty({
    type: CommitteeDto,
    nullable: true,
    description:
      'Buying committee of the company and its gaps. Null if no company is known or the intent does not ' +
      'include it.',
  })
  committee: CommitteeDto | null;
  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    maxItems: 0,
    description: 'Reserved for predictions; always empty at present.',
    example: [],
  })
  predictions: string[];
  @ApiPropertyOptional({
    type: AccountScore,
    description: 'Latest recorded score. Omitted if the entity was never scored.',
  })
  icp?: AccountScore;
  @ApiProperty({
    type: [ContextItemRefDto],
    maxItems: 400,
    description: 'Ranking of everything that was selected, across all groups.',
  })
  items: ContextItemRefDto[];
  @ApiProperty({
    description:
      'The context as a text block for a prompt: one line per item. Content of notes and messages appears ' +
      'as quotations with date and source.',
    maxLength: 60_000,
    example: 'Ada Lovelace, VP Sales at Acme (person)\n[C1 stage | 0.85 fresh reported] evaluating',
  })
  text: string;
  @ApiProperty({
    type: [String],
    maxItems: 20,
    description: 'Properties that the task needs and that are unknown.',
    example: ['budget'],
  })
  gaps: string[];
  @ApiProperty({
    type: [String],
    maxItems: 200,
    description:
      '`ref_id`s of claims that are safe to act on without verification: current, fresh, above 0.7 confidence, and neither contested nor only inferred.',
  })
  safe_to_use: string[];
  @ApiProperty({ type: ContextMetaDto, description: 'Token estimate, counts and times of the response.' })
  meta: ContextMetaDto;
}
