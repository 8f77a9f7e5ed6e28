import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsNotEmpty, IsObject, IsString, MaxLength } from 'class-validator';
import type { RawRule } from '#domain/icp/compose-model.js';
import { OptionalField } from '#kernel/http/validation.decorators.js';
import { MAX_RULES, RULE_ORIGINS } from '#domain/score/parse-model.js';
import type { IcpInput } from './icp.service.js';

/** Longest description in UTF-16 units, and most customers of each kind. */
export const MAX_DESCRIPTION_LENGTH = 20_000;
export const MAX_EXAMPLES = 500;

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
    description: 'Ideal customer in plain words. Default: the content of the `icp` section.',
    maxLength: MAX_DESCRIPTION_LENGTH,
    example: 'Software companies with 50 to 500 employees in Europe. We talk to heads of sales. No agencies.',
  })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_DESCRIPTION_LENGTH)
  description?: string;

  @ApiPropertyOptional(
    customers(
      'Customers that were won: e-mail address, domain, LinkedIn URL, entity ID or name. With at least 10 of them and ' +
        '10 in `lost`, the weight of each industry, size, country, type of company, rank and function is learned from how ' +
        'often won and lost customers have it; the description counts as prior knowledge.',
    ),
  )
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_EXAMPLES)
  @IsString({ each: true })
  @MaxLength(2048, { each: true })
  examples?: string[];

  @ApiPropertyOptional(customers('Customers that were lost or do not fit, in the same forms as `examples`.'))
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_EXAMPLES)
  @IsString({ each: true })
  @MaxLength(2048, { each: true })
  lost?: string[];

  @ApiPropertyOptional({
    description: 'Fit rules as they appear in the `icp` section. They take precedence over inferred rules.',
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

  @ApiPropertyOptional({
    description: 'Whether to replace an existing model. Previous versions are kept.',
    default: false,
    example: true,
  })
  @OptionalField()
  @IsBoolean()
  force?: boolean;

  @ApiPropertyOptional({
    description: 'Set to true to return the model without saving it.',
    default: false,
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  dry_run?: boolean;
}

/** Converts the body of a request. */
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
  @ApiProperty({ description: 'Identifier of the rule.', maxLength: 100, example: 'headcount_1' }) key: string;
  @ApiProperty({
    description: 'The rule in one sentence, for display.',
    maxLength: 300,
    example: 'headcount of the company is at least 50',
  })
  label: string;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Weight of the rule in the Fit score. Null if the rule disqualifies a lead.',
    example: 3,
  })
  weight: number | null;
  @ApiProperty({
    description: 'Whether the rule was sent in `rules`, read from the description, or learned from customers.',
    enum: RULE_ORIGINS,
    example: 'description',
  })
  origin: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The words of the description that the rule was read from. Null for rules of another origin.',
    maxLength: 300,
    example: 'Companies with at least 50 employees.',
  })
  quote: string | null;
}

class TierCounts {
  @ApiProperty({ ...count, description: 'Number of leads in tier 1, the best fit.' }) tier_1: number;
  @ApiProperty({ ...count, description: 'Number of leads in tier 2.' }) tier_2: number;
  @ApiProperty({ ...count, description: 'Number of leads in tier 3.' }) tier_3: number;
  @ApiProperty({ ...count, description: 'Number of leads that do not fit.' }) not_icp: number;
  @ApiProperty({ ...count, description: 'Number of leads with too little data to tell.' }) unknown: number;
}

class IcpCoverage {
  @ApiProperty({ ...count, description: 'Number of leads that the model was tried on, newest first.' }) leads: number;
  @ApiProperty({ ...count, description: 'Number of these leads with a known Fit.' }) scored: number;
  @ApiProperty({
    minimum: 0,
    maximum: 1,
    description: "Average share of the model's properties that are known, 0 to 1.",
    example: 0.6,
  })
  average_coverage: number;
  @ApiProperty({ description: 'Number of leads per tier.' }) tiers: TierCounts;
}

class LearnedFromExamples {
  @ApiProperty({ type: 'integer', minimum: 10, description: 'Number of won customers with known facts.', example: 24 })
  won: number;
  @ApiProperty({ type: 'integer', minimum: 10, description: 'Number of lost customers with known facts.', example: 31 })
  lost: number;
  @ApiProperty({
    minimum: 0,
    maximum: 1,
    description:
      'Area under the ROC curve: how often a won customer scores higher than a lost one, measured on customers that ' +
      'were held out. 0.5 is chance; below 0.55 nothing is learned.',
    example: 0.78,
  })
  held_out_auc: number;
}

/** Response of POST /v2/workspace/scoring-model. */
export class IcpModelResult {
  @ApiProperty({ description: 'Always true: the model was built.', example: true }) ok: true;
  @ApiProperty({ description: 'Rules of the model.', type: [IcpSignal], maxItems: 300 }) signals: IcpSignal[];
  @ApiProperty({
    description: 'The model as stored in the `icp` section.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  icp_model: object;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Version of the `icp` section.', example: 1 })
  version: number;
  @ApiProperty({ description: 'How the model classifies the newest leads.' }) coverage_on_current_leads: IcpCoverage;
  @ApiProperty({
    type: LearnedFromExamples,
    nullable: true,
    description: 'What was learned from won and lost customers. Null if none were sent.',
    example: null,
  })
  learned: LearnedFromExamples | null;
  @ApiProperty({
    description:
      'Problems worth knowing about, in one sentence each: rules that contradict each other, and words of the ' +
      'description that no rule was made of.',
    type: [String],
    maxItems: 30,
    example: ['There are no leads yet to try it on.'],
  })
  warnings: string[];
  @ApiPropertyOptional({ description: 'True if this was a dry run; omitted otherwise.', example: false })
  dry_run?: boolean;
}

/** Response of GET /v2/workspace/scoring-model. */
export class CurrentIcpModel {
  @ApiProperty({
    description: 'The model as stored in the `icp` section. Null if the section has none.',
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: {},
  })
  icp_model: object | null;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Version of the `icp` section. 0 if it was never written.',
    example: 1,
  })
  version: number;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of that version, ISO 8601. Null if the section was never written.',
    example: '2026-11-20T09:00:00.000000Z',
  })
  updated_at: string | null;
  @ApiProperty({ description: 'Rules of Fit, in words.', type: [IcpSignal], maxItems: 300 }) signals: IcpSignal[];
  @ApiProperty({ description: 'How the model classifies the newest leads.' }) coverage_on_current_leads: IcpCoverage;
  @ApiProperty({
    description: 'Problems worth knowing about, such as rules that contradict each other.',
    type: [String],
    maxItems: 30,
    example: [],
  })
  warnings: string[];
}
