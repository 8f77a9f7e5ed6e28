import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { MAX_TRUST_ROWS } from '#domain/claims/trust.js';
import { ToInt, IsInstant } from '#kernel/http/validation.decorators.js';

const MAX_VERSION = 2 ** 31 - 1;

/** How far one kind of source is trusted. */
export class TrustRowDto {
  @ApiProperty({
    description:
      'Sources the row applies to, as `source/method`. `*` matches anything; the part before a colon ' +
      'matches its family, such as `crm` for `crm:hubspot`.',
    example: 'crm:hubspot/*',
    maxLength: 200,
  })
  match: string;

  @ApiProperty({ description: 'Reliability of the source, 0 to 1.', example: 0.9, minimum: 0, maximum: 1 })
  r: number;

  @ApiProperty({
    description: 'Epistemic class of claims from this source.',
    enum: ['asserted', 'observed', 'reported', 'inferred'],
  })
  class: string;
}

/** The query of GET /v2/workspace/trust. */
export class TrustQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_VERSION,
    description: 'Version to read; 0 means the built-in defaults. Default: the newest.',
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(0)
  @Max(MAX_VERSION)
  version?: number;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Return the version that was active at this time, ISO 8601. Default: now.',
  })
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
      'Rows that override the default rows with the same `match`. An empty list restores the defaults. Omit ' +
      'it to change only `half_lives`.',
  })
  trust?: TrustRowDto[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'number', nullable: true, minimum: 0.01, maximum: 36_500 },
    description:
      'Half-life of facts in days, by property; null for facts that never age. An empty object restores the ' +
      'defaults. Omit it to keep the current values.',
    example: { title: 365 },
  })
  half_lives?: object;

  @ApiPropertyOptional({
    description: 'Reason for the change, kept with the version.',
    maxLength: 500,
    example: 'Our CRM is kept by hand.',
  })
  note?: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Version you read before writing. Returns 409 `version_conflict` if it is no longer the newest.',
    example: 0,
    minimum: 0,
    maximum: 2_147_483_647,
  })
  expected_version?: number;

  @ApiPropertyOptional({
    description: 'Set to true to return the effect on a sample of claims without writing anything.',
  })
  dry_run?: boolean;
}

/** Progress of deriving the claims again after a change of the settings. */
export class RebuildStatus {
  @ApiProperty({ description: 'Number of entities recomputed so far.', type: 'integer', example: 1200 })
  entities: number;

  @ApiProperty({ description: 'Number of claims recomputed so far.', type: 'integer', example: 5400 })
  claims: number;

  @ApiProperty({ type: 'integer', description: 'Number of claims whose stored form changed.', example: 5400 })
  changed: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which the recomputation finished, ISO 8601. Null while it is running.',
  })
  finished_at: string | null;
}

/** Effect of changed settings on a sample of claims. */
export class RuleComparisonDto {
  @ApiProperty({ type: 'integer', description: 'Number of claims in the sample.', example: 410 })
  claims: number;

  @ApiProperty({ type: 'integer', description: 'Number of claims that would have a different value.', example: 3 })
  values_changed: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of claims that would have a different confidence or epistemic class.',
    example: 120,
  })
  confidences_changed: number;
}

/** Trust in sources and half-lives of a workspace, in one version. */
export class TrustSettings {
  @ApiProperty({
    type: 'integer',
    description: 'Version number of the settings; 0 means the built-in defaults.',
    example: 1,
  })
  version: number;

  @ApiProperty({ description: 'Name of the version, as claims carry it in `trust_version`.', example: 'workspace@1' })
  trust_version: string;

  @ApiProperty({ type: [TrustRowDto], description: 'All effective rows: defaults and overrides.' })
  trust: TrustRowDto[];

  @ApiProperty({ type: [TrustRowDto], description: 'Rows that the workspace has overridden.' })
  own: TrustRowDto[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'number', nullable: true },
    description:
      'Half-life of facts in days, by property. Null for facts that never age. Properties not listed have ' +
      '365 days.',
    example: { title: 720, name: null },
  })
  half_lives: object;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'number', nullable: true },
    description: 'Half-lives that the workspace has overridden.',
    example: {},
  })
  own_half_lives: object;

  @ApiProperty({ description: 'Reason given for this version. Null if none was given.', type: String, nullable: true })
  note: string | null;

  @ApiProperty({
    description: 'Time at which this version was created, ISO 8601. Null for the built-in defaults.',
    type: String,
    format: 'date-time',
    nullable: true,
  })
  created_at: string | null;

  @ApiProperty({
    type: RebuildStatus,
    nullable: true,
    description: 'Progress of recomputing all claims with this version. Null if none is needed or it has not started.',
  })
  rebuild: RebuildStatus | null;

  @ApiPropertyOptional({ type: RuleComparisonDto, description: 'Effect on a sample of claims. Only in a dry run.' })
  sample?: RuleComparisonDto;

  @ApiPropertyOptional({ description: 'True if this was a dry run; omitted otherwise.' })
  dry_run?: boolean;
}
