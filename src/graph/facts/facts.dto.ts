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
  @ApiPropertyOptional({
    description:
      'Return only this section. Matching ignores case and spelling variants: `icp`, `ICP` and `Gtm-Motion` work.',
    maxLength: 80,
    example: 'icp',
  })
  @IsOptional()
  @IsString()
  @MaxLength(80)
  section?: string;

  @ApiPropertyOptional({
    description: 'Return only these sections, separated by commas.',
    maxLength: 1000,
    example: 'ICP,Pricing',
  })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  categories?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_VERSION,
    description: 'Version number of the section to read. Default: the newest version.',
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  @Max(MAX_VERSION)
  version?: number;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Return the sections as they were at this time, ISO 8601. Default: now.',
  })
  @IsOptional()
  @IsInstant()
  as_of?: string;

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    default: 'false',
    description: 'Whether each section includes up to 50 previous versions.',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  history?: 'true' | 'false';

  @ApiPropertyOptional({
    type: 'integer',
    default: 50,
    minimum: 1,
    maximum: 500,
    description: 'Maximum number of entries in `facts`. Values above 500 are treated as 500.',
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
      'Section to write: `icp`, `market`, `products`, `pricing`, `competitors`, `positioning`, ' +
      '`gtm_motion`, `messaging`, `proof`, `profile`, `notes` or a name of your own. Case and spelling do ' +
      'not matter. Required unless `category` is set.',
    maxLength: 80,
    example: 'pricing',
  })
  @OptionalField()
  @IsString()
  @MaxLength(80)
  section?: string;

  @ApiPropertyOptional({ description: 'Alias of `section`.', maxLength: 80, example: 'Pricing' })
  @OptionalField()
  @IsString()
  @MaxLength(80)
  category?: string;

  @ApiProperty({
    description:
      'Content of the section: markdown text or JSON, at most 256 KB. `profile` takes `{name, domains: ' +
      '[...]}`. `icp` takes prose or a scoring model `{weights, fit, pain, intent, ability, suppress, ' +
      'tiers, bands}`. `tiers` and `bands` map labels to their minimum score; defaults: `{tier_1: 85, ' +
      'tier_2: 70, tier_3: 50}` for Fit (below: `not_icp`) and `{"Red-hot": 85, "Hot": 70, "Warm": 50, ' +
      '"Aware": 20}` for Intent (below: `Dormant`).',
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
    description:
      '`replace` overwrites the section, `append` adds to it; previous versions are kept either way. ' +
      'Default: `append` for `notes`, else `replace`.',
    example: 'replace',
  })
  @IsOptional()
  @IsIn(['replace', 'append'])
  mode?: 'replace' | 'append';

  @ApiPropertyOptional({
    description: 'Topic of the entry, as a short label.',
    maxLength: 200,
    example: 'Annual plans',
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  subject?: string;

  @ApiPropertyOptional({
    description: 'Who or what provided the content.',
    default: 'agent',
    maxLength: 100,
    example: 'user',
  })
  @IsOptional()
  @IsString()
  @NotBlank()
  @MaxLength(100)
  source?: string;

  @ApiPropertyOptional({
    description: 'Reason for the change, kept with the version.',
    maxLength: 1000,
    example: 'New price list',
  })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  note?: string;

  @ApiPropertyOptional({
    description: 'Confidence in the content, from 0 to 1.',
    default: 0.9,
    minimum: 0,
    maximum: 1,
    example: 0.9,
  })
  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(1)
  confidence?: number;

  @ApiPropertyOptional({
    description: 'Path of the file the content was read from.',
    maxLength: 500,
    example: 'gtm/pricing.md',
  })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  source_path?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_VERSION,
    description:
      'Version you read before writing; 0 if the section did not exist. Returns 409 `version_conflict` if ' +
      'it is no longer the current version.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_VERSION)
  expected_version?: number;

  @ApiPropertyOptional({
    format: 'uuid',
    description:
      'ID of the fact that this one replaces. Returns 409 `version_conflict` if that fact is no longer current.',
  })
  @IsOptional()
  @IsUUID('all')
  supersedes?: string;

  @ApiPropertyOptional({
    description: 'Set to true to return the result without writing anything.',
    default: false,
    example: false,
  })
  @IsOptional()
  @IsBoolean()
  dry_run?: boolean;
}

/** One fact of the flat list. */
export class FactDto {
  @ApiProperty({ description: 'Unique identifier of the fact.', format: 'uuid', example: EXAMPLE_ID }) id: string;
  @ApiProperty({ description: 'Display name of the section that the fact belongs to.', example: 'Pricing' })
  category: string;
  @ApiProperty({ description: 'Content of the fact: text or any JSON.', example: 'From 40 EUR per seat and month.' })
  content: unknown;
  @ApiProperty({
    description: 'Topic of the fact. Null if none was given.',
    type: String,
    nullable: true,
    example: null,
  })
  subject: string | null;
  @ApiProperty({ description: 'Who or what provided the fact.', example: 'user' }) source: string;
  @ApiProperty({ description: 'Confidence in the fact, from 0 to 1.', minimum: 0, maximum: 1, example: 0.9 })
  confidence: number;
  @ApiProperty({
    description: 'Path of the file the fact was read from. Null if none was given.',
    type: String,
    nullable: true,
    example: null,
  })
  source_path: string | null;
  @ApiProperty({
    description: 'Time at which the fact was written, ISO 8601.',
    format: 'date-time',
    example: EXAMPLE_TIME,
  })
  recorded_at: string;
}

/** A section as it stands. */
export class SectionDto {
  @ApiProperty({
    description: 'Current content of the section: text or any JSON.',
    example: 'From 40 EUR per seat and month.',
  })
  content: unknown;
  @ApiProperty({
    description: 'Version number of the section, starting at 1.',
    type: 'integer',
    minimum: 1,
    example: 3,
  })
  version: number;
  @ApiProperty({
    description: 'Time at which this version was written, ISO 8601.',
    format: 'date-time',
    example: EXAMPLE_TIME,
  })
  updated_at: string;
  @ApiProperty({ description: 'Who or what provided this version.', example: 'user' }) source: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the API key that wrote this version. Null if it was not written through an API key.',
    example: EXAMPLE_ID,
  })
  author: string | null;
  @ApiProperty({
    description: 'Reason given for the change. Null if none was given.',
    type: String,
    nullable: true,
    example: 'New price list',
  })
  note: string | null;
  @ApiPropertyOptional({
    description: 'Only for `icp`: whether the content is a scoring model. Prose is stored but does not score leads.',
  })
  compiled?: boolean;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    maxItems: 50,
    description: 'Previous versions, newest first, at most 50. Only with `history=true`.',
  })
  history?: object[];
}

/** The answer of GET /v2/workspace/facts. */
export class WorkspaceFactsDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/SectionDto' },
    description: 'Sections by their slug, such as `icp` or `pricing`.',
    example: {},
  })
  sections: object;
  @ApiProperty({
    description: 'The same content as a flat list, at most `limit` entries.',
    type: [FactDto],
    maxItems: 500,
  })
  facts: FactDto[];
  @ApiProperty({ description: 'Number of entries in `facts`.', type: 'integer', minimum: 0, example: 1 }) count: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Number of facts per category.',
    example: { Pricing: 1 },
  })
  by_category: object;
  @ApiProperty({
    description: 'Maximum number of entries that this response may contain.',
    type: 'integer',
    minimum: 1,
    maximum: 500,
    example: 50,
  })
  limit: number;
  @ApiProperty({ description: 'Whether more facts exist than `limit` allows.', example: false }) has_more: boolean;
}

/** The answer of POST /v2/workspace/facts. */
export class FactWriteResult {
  @ApiProperty({ description: 'Slug of the section that was written.', example: 'pricing' }) section: string;
  @ApiProperty({
    description: 'Version number of the section after the call.',
    type: 'integer',
    minimum: 1,
    example: 3,
  })
  version: number;
  @ApiProperty({
    description: 'Version number before the call. Null if the section is new.',
    type: 'integer',
    nullable: true,
    example: 2,
  })
  previous_version: number | null;
  @ApiProperty({
    type: [String],
    maxItems: 200,
    description: 'Paths in the content that changed, such as `/tiers/tier_1`; `$` means the whole content.',
    example: ['$'],
  })
  changed_paths: string[];
  @ApiProperty({
    description: 'Time at which the version was written, ISO 8601.',
    format: 'date-time',
    example: EXAMPLE_TIME,
  })
  created_at: string;
  @ApiProperty({ type: FactDto, nullable: true, description: 'The written content as a fact. Null in a dry run.' })
  fact: FactDto | null;
  @ApiProperty({
    description: 'How the content was written: `replace` or `append`.',
    enum: ['replace', 'append'],
    example: 'replace',
  })
  mode: string;
  @ApiProperty({ description: 'Whether a previous version existed.', example: true }) superseded: boolean;
  @ApiPropertyOptional({
    description: 'Only for `icp`: whether the content is a scoring model. Prose is stored but does not score leads.',
  })
  compiled?: boolean;
  @ApiPropertyOptional({ description: 'True if this was a dry run; omitted otherwise.', example: false })
  dry_run?: boolean;
}
