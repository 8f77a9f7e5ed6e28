import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { BUSINESS_TYPES, parseWebsiteDomain, PLAN_MODELS } from '#domain/facts/profile-fields.js';
import { OptionalField } from '#kernel/http/optional-field.decorator.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { OnboardingInput } from './onboarding.service.js';

/** Longest description of the ideal customer, in UTF-16 units. */
export const MAX_ICP_LENGTH = 20_000;

/** The body of POST /v2/workspace/onboarding. */
export class OnboardingRequest {
  @ApiPropertyOptional({ description: 'What the workspace is called.', maxLength: 200, example: 'Acme' })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  name?: string;

  @ApiPropertyOptional({
    description: 'Its website; the domain becomes one of its own, whose people are never prospects.',
    maxLength: 300,
    example: 'https://acme.com',
  })
  @OptionalField()
  @IsString()
  @MaxLength(300)
  website?: string;

  @ApiPropertyOptional({ enum: BUSINESS_TYPES, description: 'What it sells.', example: 'software' })
  @OptionalField()
  @IsIn(BUSINESS_TYPES)
  business_type?: (typeof BUSINESS_TYPES)[number];

  @ApiPropertyOptional({ enum: PLAN_MODELS, description: 'How customers begin to pay.', example: 'free_trial' })
  @OptionalField()
  @IsIn(PLAN_MODELS)
  plan_model?: (typeof PLAN_MODELS)[number];

  @ApiPropertyOptional({ description: 'Stage of people who sign up.', maxLength: 80, example: 'interested' })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(80)
  default_signup_stage?: string;

  @ApiPropertyOptional({
    description: 'The ideal customer in words. Where leads are scored by a model, it becomes its description.',
    maxLength: MAX_ICP_LENGTH,
    example: 'Software companies of 50 to 500 people in Europe; we talk to heads of sales.',
  })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_ICP_LENGTH)
  icp?: string;

  @ApiPropertyOptional({
    description: 'Tell what would be written, and write nothing.',
    default: false,
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  dry_run?: boolean;
}

/** The wish that a body stands for. @throws HubError `invalid_request` for nothing at all, and for no website. */
export function toOnboardingInput({ dry_run = false, ...wish }: OnboardingRequest): OnboardingInput {
  const { website } = wish;
  if (website !== undefined && parseWebsiteDomain(website) === undefined) {
    throw invalidField('website', 'website must be an address or a domain of a company, such as "https://acme.com".');
  }
  if (Object.values(wish).every(value => value === undefined)) {
    throw invalidField(
      'name',
      'Send at least one of name, website, business_type, plan_model, default_signup_stage, icp.',
    );
  }
  return { ...wish, dryRun: dry_run };
}

function invalidField(field: string, message: string): HubError {
  return HubError.invalidRequest([{ field, message }]);
}

const nullable = { type: String, nullable: true } as const;

/** What the workspace says of itself. */
export class WorkspaceProfile {
  @ApiProperty({ ...nullable, maxLength: 200, example: 'Acme' }) name: string | null;
  @ApiProperty({ ...nullable, maxLength: 300, example: 'https://acme.com' }) website: string | null;
  @ApiProperty({ ...nullable, maxLength: 80, example: 'software' }) business_type: string | null;
  @ApiProperty({ ...nullable, maxLength: 80, example: 'free_trial' }) plan_model: string | null;
  @ApiProperty({ ...nullable, maxLength: 80, example: null }) default_signup_stage: string | null;
}

/** A section that was written. */
export class WrittenSectionDto {
  @ApiProperty({ example: 'profile' }) section: string;
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 }) version: number;
  @ApiProperty({ type: [String], maxItems: 200, example: ['$'] }) changed_paths: string[];
  @ApiPropertyOptional({ description: 'Of `icp`: whether leads are scored by it.', example: false }) compiled?: boolean;
}

/** The answer of POST /v2/workspace/onboarding. */
export class OnboardingResult {
  @ApiProperty({ example: true }) ok: true;
  @ApiProperty({ type: WorkspaceProfile }) workspace: WorkspaceProfile;
  @ApiProperty({ type: [WrittenSectionDto], maxItems: 2 }) written: WrittenSectionDto[];
  @ApiPropertyOptional({ example: false }) dry_run?: boolean;
}
