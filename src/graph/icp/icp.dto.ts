import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsNotEmpty, IsObject, IsString, MaxLength } from 'class-validator';
import type { RawRule } from '#domain/icp/parse-description.js';
import { OptionalField } from '#kernel/http/optional-field.decorator.js';
import { MAX_RULES } from '#domain/score/parse-rule.js';
import type { IcpInput } from './icp.service.js';

/** Longest description in UTF-16 units, and most customers of each kind. */
export const MAX_DESCRIPTION_LENGTH = 20_000;
export const MAX_EXAMPLES = 100;

const customers = (description: string) =>
  ({
    description,
    type: 'array',
    items: { type: 'string', maxLength: 2048 },
    maxItems: MAX_EXAMPLES,
    example: [],
  }) as const;

/** The body of POST /v2/workspace/scoring-model. */
export class BuildIcpModelRequest {
  @ApiPropertyOptional({
    description: 'The ideal customer in words. Default: what the section `icp` says.',
    maxLength: MAX_DESCRIPTION_LENGTH,
    example: 'Software companies with 50 to 500 employees in Europe. We talk to heads of sales. No agencies.',
  })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_DESCRIPTION_LENGTH)
  description?: string;

  @ApiPropertyOptional(customers('Customers that were won: e-mail, domain, LinkedIn URL, id or name.'))
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_EXAMPLES)
  @IsString({ each: true })
  @MaxLength(2048, { each: true })
  examples?: string[];

  @ApiPropertyOptional(customers('Those that were lost.'))
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_EXAMPLES)
  @IsString({ each: true })
  @MaxLength(2048, { each: true })
  lost?: string[];

  @ApiPropertyOptional({
    description: 'Rules of Fit as the section `icp` holds them; they go before what is read and learned.',
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    maxItems: MAX_RULES,
    example: [{ on: 'company', property: 'headcount', op: 'gte', value: 50, weight: 3 }],
  })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_RULES)
  @IsObject({ each: true })
  rules?: RawRule[];

  @ApiPropertyOptional({ description: 'Take the place of a model that is there.', default: false, example: true })
  @OptionalField()
  @IsBoolean()
  force?: boolean;

  @ApiPropertyOptional({ description: 'Tell what would be built, and save nothing.', default: false, example: false })
  @OptionalField()
  @IsBoolean()
  dry_run?: boolean;
}

/** The wish that a body stands for. */
export function toIcpInput({
  description,
  examples = [],
  lost = [],
  rules = [],
  force,
  dry_run,
}: BuildIcpModelRequest): IcpInput {
  return { description, won: examples, lost, rules, force: force ?? false, dryRun: dry_run ?? false };
}

const count = { type: 'integer', minimum: 0, maximum: 200, example: 12 } as const;

class IcpSignal {
  @ApiProperty({ maxLength: 100, example: 'headcount_1' }) key: string;
  @ApiProperty({ maxLength: 300, example: 'headcount of the company is at least 50' }) label: string;
  @ApiProperty({ type: Number, nullable: true, description: 'Null: it rules a lead out.', example: 3 })
  weight: number | null;
}

class TierCounts {
  @ApiProperty(count) tier_1: number;
  @ApiProperty(count) tier_2: number;
  @ApiProperty(count) tier_3: number;
  @ApiProperty(count) not_icp: number;
  @ApiProperty(count) unknown: number;
}

class IcpCoverage {
  @ApiProperty({ ...count, description: 'Leads that it was tried on, the newest.' }) leads: number;
  @ApiProperty({ ...count, description: 'Those whose Fit it can tell.' }) scored: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Share of what it asks that is known.', example: 0.6 })
  average_coverage: number;
  @ApiProperty() tiers: TierCounts;
}

/** The answer of POST /v2/workspace/scoring-model. */
export class IcpModelResult {
  @ApiProperty({ example: true }) ok: true;
  @ApiProperty({ type: [IcpSignal], maxItems: 300 }) signals: IcpSignal[];
  @ApiProperty({
    description: 'The model, as the section `icp` holds it.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  icp_model: object;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Of the section `icp`.', example: 1 }) version: number;
  @ApiProperty() coverage_on_current_leads: IcpCoverage;
  @ApiProperty({ type: [String], maxItems: 30, example: ['There are no leads yet to try it on.'] }) warnings: string[];
  @ApiPropertyOptional({ example: false }) dry_run?: boolean;
}
