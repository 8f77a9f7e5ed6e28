import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  Allow,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { OptionalField } from '#kernel/http/optional-field.decorator.js';
import { ToInt } from '#kernel/http/to-int.decorator.js';
import { NotBlank } from '#kernel/http/not-blank.decorator.js';
import { IsInstant } from '#kernel/http/is-instant.decorator.js';

const MAX_VERSION = 2 ** 31 - 1;
const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';

/** The query of GET /v2/workspace/facts. */
export class FactsQuery {
  @ApiPropertyOptional({ description: 'One section, in any case or spelling.', maxLength: 80, example: 'icp' })
  @IsOptional()
  @IsString()
  @MaxLength(80)
  section?: string;

  @ApiPropertyOptional({ description: 'Several sections, parted by commas.', maxLength: 1000, example: 'ICP,Pricing' })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  categories?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_VERSION,
    description: 'A version of the section. Default: the newest.',
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  @Max(MAX_VERSION)
  version?: number;

  @ApiPropertyOptional({ format: 'date-time', description: 'As the sections stood then, ISO 8601. Default: now.' })
  @IsOptional()
  @IsInstant()
  as_of?: string;

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    default: 'false',
    description: 'Whether sections carry the versions before, the newest 50.',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  history?: 'true' | 'false';

  @ApiPropertyOptional({
    type: 'integer',
    default: 50,
    minimum: 1,
    maximum: 500,
    description: 'Facts in the flat list; more than the maximum is taken as the maximum.',
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;
}

/** The body of POST /v2/workspace/facts. */
export class WriteFactRequest {
  @ApiPropertyOptional({
    description:
      'icp, market, products, pricing, competitors, positioning, gtm_motion, messaging, proof, profile, notes, or a ' +
      'word of your own; in any case or spelling.',
    maxLength: 80,
    example: 'pricing',
  })
  @OptionalField()
  @IsString()
  @MaxLength(80)
  section?: string;

  @ApiPropertyOptional({ description: 'The same as `section`.', maxLength: 80, example: 'Pricing' })
  @OptionalField()
  @IsString()
  @MaxLength(80)
  category?: string;

  @ApiProperty({
    description:
      'Text (markdown) or JSON, at most 256 KB. The profile is `{name, domains: [...]}`. `icp` may be prose or a model ' +
      '`{weights, fit, pain, intent, ability, suppress, tiers, bands}`; `tiers` and `bands` say from which score on a ' +
      'lead is called what, default `{tier_1: 85, tier_2: 70, tier_3: 50}` (of Fit; else not_icp) and ' +
      '`{"Red-hot": 85, "Hot": 70, "Warm": 50, "Aware": 20}` (of Intent; else Dormant).',
    example: 'From 40 EUR per seat and month, billed yearly.',
    oneOf: [
      { type: 'string', maxLength: 262_144 },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: {}, maxItems: 10_000 },
      { type: 'object', additionalProperties: true },
    ],
  })
  @Allow()
  content: unknown;

  @ApiPropertyOptional({
    enum: ['replace', 'append'],
    description: 'Whether content takes the place of what is there, or is added to it. Default: append for notes.',
    example: 'replace',
  })
  @IsOptional()
  @IsIn(['replace', 'append'])
  mode?: 'replace' | 'append';

  @ApiPropertyOptional({ description: 'What it is about.', maxLength: 200, example: 'Annual plans' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  subject?: string;

  @ApiPropertyOptional({ description: 'Where it comes from.', default: 'agent', maxLength: 100, example: 'user' })
  @IsOptional()
  @IsString()
  @NotBlank()
  @MaxLength(100)
  source?: string;

  @ApiPropertyOptional({ description: 'Why it is written.', maxLength: 1000, example: 'New price list' })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  note?: string;

  @ApiPropertyOptional({ description: 'How sure it is, 0 to 1.', default: 0.9, minimum: 0, maximum: 1, example: 0.9 })
  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(1)
  confidence?: number;

  @ApiPropertyOptional({ description: 'The file that it was read from.', maxLength: 500, example: 'gtm/pricing.md' })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  source_path?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_VERSION,
    description: 'Version that you have seen, 0 for none. If it is not the current one any more: 409.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_VERSION)
  expected_version?: number;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Id of the fact that this one takes the place of. If it is not current any more: 409.',
  })
  @IsOptional()
  @IsUUID('all')
  supersedes?: string;

  @ApiPropertyOptional({
    description: 'Tell what would be written, and write nothing.',
    default: false,
    example: false,
  })
  @IsOptional()
  @IsBoolean()
  dry_run?: boolean;
}

/** One fact of the flat list. */
export class FactDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID }) id: string;
  @ApiProperty({ description: 'Name of the section.', example: 'Pricing' }) category: string;
  @ApiProperty({ description: 'Text or JSON.', example: 'From 40 EUR per seat and month.' }) content: unknown;
  @ApiProperty({ type: String, nullable: true, example: null }) subject: string | null;
  @ApiProperty({ example: 'user' }) source: string;
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.9 }) confidence: number;
  @ApiProperty({ type: String, nullable: true, example: null }) source_path: string | null;
  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME }) recorded_at: string;
}

/** A section as it stands. */
export class SectionDto {
  @ApiProperty({ description: 'Text or JSON.', example: 'From 40 EUR per seat and month.' }) content: unknown;
  @ApiProperty({ type: 'integer', minimum: 1, example: 3 }) version: number;
  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME }) updated_at: string;
  @ApiProperty({ example: 'user' }) source: string;
  @ApiProperty({ type: String, nullable: true, description: 'Id of the API key that wrote it.', example: EXAMPLE_ID })
  author: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'New price list' }) note: string | null;
  @ApiPropertyOptional({ description: 'Of `icp`: whether leads are scored by it; prose is kept and scores nothing.' })
  compiled?: boolean;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    maxItems: 50,
    description: 'The versions before, newest first.',
  })
  history?: object[];
}

/** The answer of GET /v2/workspace/facts. */
export class WorkspaceFactsDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/SectionDto' },
    description: 'By slug.',
    example: {},
  })
  sections: object;
  @ApiProperty({ type: [FactDto], maxItems: 500 }) facts: FactDto[];
  @ApiProperty({ type: 'integer', minimum: 0, example: 1 }) count: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Facts of each category.',
    example: { Pricing: 1 },
  })
  by_category: object;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 500, example: 50 }) limit: number;
  @ApiProperty({ example: false }) has_more: boolean;
}

/** The answer of POST /v2/workspace/facts. */
export class FactWriteResult {
  @ApiProperty({ example: 'pricing' }) section: string;
  @ApiProperty({ type: 'integer', minimum: 1, example: 3 }) version: number;
  @ApiProperty({ type: 'integer', nullable: true, example: 2 }) previous_version: number | null;
  @ApiProperty({ type: [String], maxItems: 200, description: '`$` is the whole content.', example: ['$'] })
  changed_paths: string[];
  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME }) created_at: string;
  @ApiProperty({ type: FactDto, nullable: true, description: 'Null in a dry run.' }) fact: FactDto | null;
  @ApiProperty({ enum: ['replace', 'append'], example: 'replace' }) mode: string;
  @ApiProperty({ description: 'Whether there was a version before.', example: true }) superseded: boolean;
  @ApiPropertyOptional({ description: 'Of `icp`: whether leads are scored by it; prose is kept and scores nothing.' })
  compiled?: boolean;
  @ApiPropertyOptional({ example: false }) dry_run?: boolean;
}
