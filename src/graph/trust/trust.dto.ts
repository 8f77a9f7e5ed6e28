import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { MAX_TRUST_ROWS } from '#domain/claims/trust-table.js';
import { ToInt } from '#kernel/http/to-int.decorator.js';
import { IsInstant } from '#kernel/http/is-instant.decorator.js';

const MAX_VERSION = 2 ** 31 - 1;

/** How far one kind of source is trusted. */
export class TrustRowDto {
  @ApiProperty({
    description: '`source/method`; `*` stands for any, and what precedes a colon for its family.',
    example: 'crm:hubspot/*',
    maxLength: 200,
  })
  match: string;

  @ApiProperty({ description: 'Reliability, 0 to 1.', example: 0.9, minimum: 0, maximum: 1 })
  r: number;

  @ApiProperty({ enum: ['asserted', 'observed', 'reported', 'inferred'] })
  class: string;
}

/** The query of GET /v2/workspace/trust. */
export class TrustQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_VERSION,
    description: 'A version; 0 is the usual rules. Default: the newest.',
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(0)
  @Max(MAX_VERSION)
  version?: number;

  @ApiPropertyOptional({ format: 'date-time', description: 'The version that held then, ISO 8601. Default: now.' })
  @IsOptional()
  @IsInstant()
  as_of?: string;
}

/** The body of POST /v2/workspace/trust. */
export class ChangeTrustRequest {
  @ApiPropertyOptional({
    type: [TrustRowDto],
    maxItems: MAX_TRUST_ROWS,
    description:
      'Rows in place of the usual ones of the same match; an empty list brings those back. ' +
      'May be left out beside `half_lives`: it stays as it is then.',
  })
  trust?: TrustRowDto[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'number', nullable: true, minimum: 0.01, maximum: 36_500 },
    description:
      'Days after which half of the facts about a property have changed, by property; null for what never ages. ' +
      'An empty object brings the usual ones back; left out, they stay as they are.',
    example: { title: 365 },
  })
  half_lives?: object;

  @ApiPropertyOptional({ description: 'Why.', maxLength: 500, example: 'Our CRM is kept by hand.' })
  note?: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'The version that you have seen; another one is 409.',
    example: 0,
    minimum: 0,
    maximum: 2_147_483_647,
  })
  expected_version?: number;

  @ApiPropertyOptional({ description: 'Tell what a sample of the claims would come to, and write nothing.' })
  dry_run?: boolean;
}

/** See ShownRebuild. */
export class RebuildStatus {
  @ApiProperty({ type: 'integer', example: 1200 })
  entities: number;

  @ApiProperty({ type: 'integer', example: 5400 })
  claims: number;

  @ApiProperty({ type: 'integer', description: 'Claims that were kept anew.', example: 5400 })
  changed: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null while it runs.' })
  finished_at: string | null;
}

/** See Rehearsal. */
export class RuleComparisonDto {
  @ApiProperty({ type: 'integer', description: 'Claims that were looked at.', example: 410 })
  claims: number;

  @ApiProperty({ type: 'integer', description: 'Claims that would show another value.', example: 3 })
  values_changed: number;

  @ApiProperty({ type: 'integer', description: 'Claims of another confidence or class.', example: 120 })
  confidences_changed: number;
}

/** See ShownTrust. */
export class TrustSettings {
  @ApiProperty({ type: 'integer', description: '0: the usual rules.', example: 1 })
  version: number;

  @ApiProperty({ description: 'What claims call it.', example: 'workspace@1' })
  trust_version: string;

  @ApiProperty({ type: [TrustRowDto], description: 'Every row that counts.' })
  trust: TrustRowDto[];

  @ApiProperty({ type: [TrustRowDto], description: 'Those that the workspace has set.' })
  own: TrustRowDto[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'number', nullable: true },
    description: 'Days after which half of such facts have changed, by property; null: never. Others have 365.',
    example: { title: 720, name: null },
  })
  half_lives: object;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'number', nullable: true },
    description: 'Those that the workspace has set.',
    example: {},
  })
  own_half_lives: object;

  @ApiProperty({ type: String, nullable: true })
  note: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  created_at: string | null;

  @ApiProperty({ type: RebuildStatus, nullable: true, description: 'How far the claims are folded by it.' })
  rebuild: RebuildStatus | null;

  @ApiPropertyOptional({ type: RuleComparisonDto, description: 'Of a dry run.' })
  sample?: RuleComparisonDto;

  @ApiPropertyOptional({ description: 'Nothing was written.' })
  dry_run?: boolean;
}
