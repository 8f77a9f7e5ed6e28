import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ActorDto } from '#kernel/auth/actor.dto.js';

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';

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

/** A version of a section. */
export class SectionVersionDto {
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
    type: ActorDto,
    nullable: true,
    description: 'Who wrote this version. Null if the hub itself wrote it.',
  })
  author: ActorDto | null;
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
}

/** A section with its current content. */
export class SectionDto extends SectionVersionDto {
  @ApiPropertyOptional({
    type: [SectionVersionDto],
    maxItems: 50,
    description: 'Previous versions, newest first, at most 50. Only with `history=true`.',
  })
  history?: SectionVersionDto[];
}

/** Response of GET /v2/workspace/facts. */
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

/** Response of POST /v2/workspace/facts. */
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
