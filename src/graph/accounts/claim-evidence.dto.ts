import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import { REASON_CODES, STATEMENT_ROLES, type StatementRole } from '#domain/claims/evidence.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { parseInstant, toIso } from '#domain/time/instant.js';
import { IsInstant, OptionalField, ToInt } from '#kernel/http/validation.decorators.js';
import { ClaimDto } from '../claims/claim.dto.js';
import type { PresentedClaim } from './accounts.presenter.js';
import { DEFAULT_TIMELINE_LIMIT, MAX_TIMELINE_LIMIT } from './account-query.dto.js';
import type { ClaimEvidence, ClaimEvidenceRequest } from './claim-evidence.service.js';

const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';

/** Query of GET /v2/accounts/:id/claims/:property. */
export class ClaimEvidenceQuery {
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'The claim as it was at this time, ISO 8601. Default: now.',
  })
  @OptionalField()
  @IsInstant()
  as_of?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Use only what had been recorded by this time, ISO 8601. Default: now.',
  })
  @OptionalField()
  @IsInstant()
  known_at?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: DEFAULT_TIMELINE_LIMIT,
    minimum: 1,
    maximum: MAX_TIMELINE_LIMIT,
    description: 'Maximum number of statements. Values above the maximum are treated as the maximum.',
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page of statements.', maxLength: 500 })
  @OptionalField()
  @IsString()
  @MaxLength(500)
  cursor?: string;
}

/** The strongest statement of another value. */
export class ObjectionDto {
  @ApiProperty({ description: 'System or person that states another value.', example: 'crm:hubspot' }) source: string;
  @ApiProperty({ description: 'Value that the source states, any JSON.', nullable: true, example: 'CTO' })
  value: unknown;
  @ApiProperty({ description: 'Time of the statement, ISO 8601.', format: 'date-time', example: EXAMPLE_TIME })
  observed_at: string;
  @ApiProperty({ description: 'Weight of the statement after decay, 0 to 1.', example: 0.4 }) weight: number;
}

/** What the sentence about a claim is made of. */
export class ClaimReasonPartsDto {
  @ApiProperty({ description: 'Value of the claim, any JSON. Null if it has ended.', nullable: true, example: 'VP' })
  value: unknown;
  @ApiProperty({ description: 'Number of sources whose statements count for the value.', type: 'integer', example: 2 })
  sources: number;
  @ApiProperty({ description: 'Source that stated the value last.', type: String, nullable: true, example: 'agent' })
  source: string | null;
  @ApiProperty({
    description: 'Time of that statement, ISO 8601.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: EXAMPLE_TIME,
  })
  observed_at: string | null;
  @ApiProperty({
    description: 'The strongest statement of another value. Null if there is none.',
    type: ObjectionDto,
    nullable: true,
  })
  objection: ObjectionDto | null;
  @ApiProperty({ description: 'Confidence of the claim, 0 to 0.99.', example: 0.75 }) confidence: number;
}

/** Why a claim has its value. */
export class ClaimReasonDto {
  @ApiProperty({
    description:
      '`unopposed`: one source states it; `agreed`: several do; `opposed`: another source states otherwise; `ended`: the ' +
      'fact has ended.',
    enum: REASON_CODES,
    example: 'opposed',
  })
  code: string;
  @ApiProperty({
    description: 'The reason in one or two English sentences, with the strongest objection.',
    example: '“VP Sales” holds: agent stated it on 2026-11-20. No source states otherwise.',
  })
  text: string;
  @ApiProperty({ description: 'The same in parts, for another language.', type: ClaimReasonPartsDto })
  parts: ClaimReasonPartsDto;
}

/** A statement about the property. */
export class ClaimStatementDto {
  @ApiProperty({ description: 'ID of the observation.', format: 'uuid' }) observation_id: string;
  @ApiProperty({
    description: 'Value that was stated, any JSON. Null states that the fact has ended.',
    nullable: true,
    example: 'VP Sales',
  })
  value: unknown;
  @ApiProperty({ description: 'System or person that stated it.', example: 'agent' }) source: string;
  @ApiProperty({ description: 'How the observation was captured.', example: 'api' }) method: string;
  @ApiProperty({ description: 'Time of the observation, ISO 8601.', format: 'date-time', example: EXAMPLE_TIME })
  observed_at: string;
  @ApiProperty({ description: 'Time at which it was recorded, ISO 8601.', format: 'date-time', example: EXAMPLE_TIME })
  recorded_at: string;
  @ApiProperty({
    description:
      '`supports`: states the present value; `opposes`: latest word of a source that states another one; `superseded`: ' +
      'neither.',
    enum: STATEMENT_ROLES,
    example: 'supports',
  })
  role: StatementRole;
  @ApiProperty({ description: 'Reliability of the source and method, 0 to 1.', example: 0.75 }) r: number;
  @ApiProperty({
    description: 'Weight that it has in the claim after decay, 0 to 1. Zero if it does not count.',
    example: 0.74,
  })
  weight: number;
  @ApiProperty({
    description: 'Why it counts, or does not, in one sentence.',
    example: 'It states the value and counts.',
  })
  why: string;
}

/** What ended an earlier value. */
export class PeriodEndDto {
  @ApiProperty({ description: 'ID of the observation that began the next value.', format: 'uuid' }) id: string;
  @ApiProperty({
    description: 'Source of that observation. Null if it has been erased.',
    type: String,
    nullable: true,
    example: 'linkedin',
  })
  source: string | null;
}

/** An earlier value. */
export class EndedPeriodDto {
  @ApiProperty({ description: 'Value in this period, any JSON.', nullable: true, example: 'CTO' }) value: unknown;
  @ApiProperty({ description: 'Start of the period, ISO 8601.', format: 'date-time', example: EXAMPLE_TIME })
  valid_from: string;
  @ApiProperty({ description: 'End of the period, ISO 8601.', format: 'date-time', example: EXAMPLE_TIME })
  valid_to: string;
  @ApiProperty({ description: 'The observation that ended it.', type: PeriodEndDto }) ended_by: PeriodEndDto;
}

/** The claim at one time. */
export class ClaimSeriesPointDto {
  @ApiProperty({ description: 'Time of the point, ISO 8601.', format: 'date-time', example: EXAMPLE_TIME }) at: string;
  @ApiProperty({ description: 'Value at that time, any JSON. Null if it had ended.', nullable: true, example: 'CTO' })
  value: unknown;
  @ApiProperty({ description: 'Confidence at that time, 0 to 0.99.', example: 0.75 }) confidence: number;
  @ApiProperty({ description: 'Freshness score at that time, 0 to 1.', example: 0.9 }) freshness_score: number;
}

/** A claim with everything that was stated about it. */
export class ClaimEvidenceDto {
  @ApiProperty({ description: 'The claim, as the account has it.', type: ClaimDto }) claim: PresentedClaim;
  @ApiProperty({ description: 'Why the claim has its value.', type: ClaimReasonDto }) why: ClaimReasonDto;
  @ApiProperty({ description: 'A page of the statements, the newest first.', type: [ClaimStatementDto] })
  statements: ClaimStatementDto[];
  @ApiProperty({ description: 'Earlier values, the newest first; at most 32 of each value.', type: [EndedPeriodDto] })
  periods: EndedPeriodDto[];
  @ApiProperty({
    description:
      'Confidence and freshness over time, oldest first: two points for each of the latest 200 statements, one at the ' +
      'statement and one before the next.',
    type: [ClaimSeriesPointDto],
  })
  series: ClaimSeriesPointDto[];
  @ApiProperty({ description: 'Maximum number of statements on this page.', type: 'integer', example: 50 })
  limit: number;
  @ApiProperty({ description: 'Whether there are older statements.', example: false }) has_more: boolean;
  @ApiProperty({ description: 'Cursor of the next page. Null on the last one.', type: String, nullable: true })
  next_cursor: string | null;
}

/** The request that a query stands for. */
export function toEvidenceRequest({ as_of, known_at, limit, cursor }: ClaimEvidenceQuery): ClaimEvidenceRequest {
  return {
    ...(as_of !== undefined && { asOf: parseInstant(as_of) }),
    ...(known_at !== undefined && { knownAt: parseInstant(known_at) }),
    limit: Math.min(limit ?? DEFAULT_TIMELINE_LIMIT, MAX_TIMELINE_LIMIT),
    cursor,
  };
}

/** Presents a claim with its evidence. */
export function toClaimEvidenceDto(
  { claim, why, statements, periods, series, nextCursor }: ClaimEvidence,
  limit: number,
): ClaimEvidenceDto {
  const { observedAt, ...parts } = why.parts;
  return {
    claim,
    why: { code: why.code, text: why.text, parts: { ...parts, observed_at: observedAt } },
    statements: statements.map(({ statement, role, r, weight, why: reason, recordedAt }) => ({
      observation_id: statement.id,
      value: statement.value satisfies JsonValue,
      source: statement.source,
      method: statement.method,
      observed_at: toIso(statement.observedAt),
      recorded_at: toIso(recordedAt),
      role,
      r,
      weight,
      why: reason,
    })),
    periods: [...periods],
    series: series.map(({ at, value, confidence, freshnessScore }) => ({
      at: toIso(at),
      value,
      confidence,
      freshness_score: freshnessScore,
    })),
    limit,
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
  };
}
