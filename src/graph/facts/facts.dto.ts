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
import { OptionalField, ToInt, NotBlank, IsInstant } from '#kernel/http/validation.decorators.js';

const MAX_VERSION = 2 ** 31 - 1;

/** The query of GET /v2/workspace/facts. */
export class FactsQuery {
  @ApiPropertyOptional({
    description:
      'Return only this section. Matching ignores case and spelling variants: `icp`, `ICP` and `Gtm-Motion` work.',
    maxLength: 80,
  })
  @IsOptional()
  @IsString()
  @MaxLength(80)
  section?: string;

  @ApiPropertyOptional({
    description: 'Return only these sections, separated by commas.',
    maxLength: 1000,
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

  @ApiPropertyOptional({ description: 'Alias of the field `section`.', maxLength: 80, example: 'Pricing' })
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
