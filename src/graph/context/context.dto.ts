import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
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
import { IsInstant } from '#kernel/http/is-instant.decorator.js';
import { IsStorable } from '../notes/is-storable.js';
import { type ContextPart, CONTEXT_PARTS } from './context-parts.js';

/** Longest task, in UTF-16 units. */
export const MAX_TASK_LENGTH = 2000;

const ENTITY = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** The body of POST /v2/context. */
export class ContextRequestDto {
  @ApiProperty({
    description: 'Entity UUID, e-mail address, domain, LinkedIn URL or name.',
    maxLength: 320,
    example: 'ada@acme.com',
  })
  @IsOptional()
  @IsString()
  @MaxLength(320)
  focus: string;

  @ApiPropertyOptional({ enum: ['person', 'company'], description: 'Narrows a name down.', example: 'person' })
  @IsOptional()
  @IsIn(['person', 'company'])
  type?: 'person' | 'company';

  @ApiPropertyOptional({
    description: 'Narrows a name down: name or domain of the company.',
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
    description: 'Presets the budget, what matters most, and whether the people of the company belong to it.',
    example: 'draft_email',
  })
  @IsOptional()
  @IsString()
  @MaxLength(40)
  intent?: string;

  @ApiPropertyOptional({
    description: 'What it is for, in your own words: what comes near it goes first. Default: a general brief.',
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
    description: 'Tokens that `text` may have. Default by intent: 2000, 1200, 1500, 1800, 1800.',
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
    description: 'Default: all.',
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
    description: 'Leaves out claims less sure than this, but nothing that must not be missed.',
    example: 0.5,
  })
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  min_confidence?: number;

  @ApiPropertyOptional({ format: 'date-time', description: 'What was the case then. Default: now.' })
  @IsOptional()
  @IsInstant()
  as_of?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'What had been recorded by then. Default: now.' })
  @IsOptional()
  @IsInstant()
  known_at?: string;

  @ApiPropertyOptional({ default: false, description: 'Every item says how its score came about.', example: false })
  @IsOptional()
  @IsBoolean()
  explain?: boolean;
}

const group = (description: string, maxItems: number) => ({
  type: 'array' as const,
  items: { type: 'object' as const, additionalProperties: true },
  maxItems,
  description,
});

/** The answer of POST /v2/context. For a name that several bear: `status`, `query`, `count`, `candidates`. */
export class ContextResult {
  @ApiProperty({ type: 'object', additionalProperties: true, example: { id: ENTITY, type: 'person', name: 'Ada' } })
  entity: object;
  @ApiProperty({ enum: INTENTS }) intent: string;
  @ApiProperty({
    description: 'Who it is, and the three strongest claims.',
    maxLength: 1000,
    example: 'Ada Lovelace, VP Sales at Acme. Stage: evaluating.',
  })
  summary: string;
  @ApiProperty(group('Claims that were chosen, the most useful first.', 200)) claims: object[];
  @ApiProperty(group('Passages of the workspace’s own facts.', 200)) workspace: object[];
  @ApiProperty(
    group(
      'What happened, the newest first, each with its source: `tier` full, brief, or count for what is older.',
      400,
    ),
  )
  timeline: object[];
  @ApiProperty(group('Signals and single notes as sentences.', 15)) facts: object[];
  @ApiProperty(group('Notes, each with its source, date and the passage that matters.', 16)) documents: object[];
  @ApiProperty(group('The other people of the company.', 50)) stakeholders: object[];
  @ApiProperty({ type: 'object', nullable: true, additionalProperties: true, description: 'Who decides, and gaps.' })
  committee: object | null;
  @ApiProperty({ ...group('Empty: nothing is predicted.', 0), example: [] }) predictions: object[];
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'The last recorded score.' })
  icp?: object;
  @ApiProperty(group('The order of everything that was chosen: `ref_id`, `kind`, `score`.', 400)) items: object[];
  @ApiProperty({
    description:
      'A block for a prompt: who it is, then one line per item. What notes and interactions say stands there as a ' +
      'quotation, with date and source.',
    maxLength: 60_000,
    example: 'Ada Lovelace, VP Sales at Acme (person)\n[C1 stage | 0.85 fresh reported] evaluating',
  })
  text: string;
  @ApiProperty({
    type: [String],
    maxItems: 20,
    description: 'Properties that the task asks for and nobody knows.',
    example: ['budget'],
  })
  gaps: string[];
  @ApiProperty({ type: [String], maxItems: 200, description: 'Claims that may be acted on without checking.' })
  safe_to_use: string[];
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Tokens, counts and times.' }) meta: object;
}
