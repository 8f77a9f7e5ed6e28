import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { BUSINESS_TYPES, parseWebsiteDomain, PLAN_MODELS } from '#domain/facts/profile.js';
import { type Plan, PLANS } from '#domain/plans/tiers.js';
import { IsName, OptionalField } from '#kernel/http/validation.decorators.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { OnboardingInput } from './onboarding.service.js';

/** Longest description of the ideal customer, in UTF-16 units. */
export const MAX_ICP_LENGTH = 20_000;

/** The body of POST /v2/workspace/onboarding. */
export class OnboardingRequest {
  @ApiPropertyOptional({ description: 'Name of your company.', maxLength: 200, example: 'Acme' })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  name?: string;

  @ApiPropertyOptional({
    description:
      "Website of your company. Its domain becomes one of the workspace's own domains, whose people are " +
      'never treated as prospects.',
    maxLength: 300,
    example: 'https://acme.com',
  })
  @OptionalField()
  @IsString()
  @MaxLength(300)
  website?: string;

  @ApiPropertyOptional({
    enum: BUSINESS_TYPES,
    description: 'Whether your company sells software or services.',
    example: 'software',
  })
  @OptionalField()
  @IsIn(BUSINESS_TYPES)
  business_type?: (typeof BUSINESS_TYPES)[number];

  @ApiPropertyOptional({
    enum: PLAN_MODELS,
    description: 'How customers start: with a free plan, a free trial, both, or paid only.',
    example: 'free_trial',
  })
  @OptionalField()
  @IsIn(PLAN_MODELS)
  plan_model?: (typeof PLAN_MODELS)[number];

  @ApiPropertyOptional({ description: 'Pipeline stage of people who sign up.', maxLength: 80, example: 'interested' })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(80)
  default_signup_stage?: string;

  @ApiPropertyOptional({
    description:
      'Description of the ideal customer in plain words. If a scoring model exists, this becomes its description.',
    maxLength: MAX_ICP_LENGTH,
    example: 'Software companies of 50 to 500 people in Europe; we talk to heads of sales.',
  })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_ICP_LENGTH)
  icp?: string;

  @ApiPropertyOptional({
    description: 'Set to true to return the result without writing anything.',
    default: false,
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  dry_run?: boolean;
}

/** Converts the body of a request. @throws HubError `invalid_request` for an empty body or an invalid website. */
export function toOnboardingInput({ dry_run = false, ...fields }: OnboardingRequest): OnboardingInput {
  const { website } = fields;
  if (website !== undefined && parseWebsiteDomain(website) === undefined) {
    throw HubError.invalidField(
      'website',
      'website must be an address or a domain of a company, such as "https://acme.com".',
    );
  }
  if (Object.values(fields).every(value => value === undefined)) {
    throw HubError.invalidField(
      'name',
      'Send at least one of name, website, business_type, plan_model, default_signup_stage, icp.',
    );
  }
  return { ...fields, dryRun: dry_run };
}

/** The body of PATCH /v2/workspace. */
export class RenameWorkspace {
  @ApiProperty({
    description: 'New name of the workspace, 1 to 200 characters.',
    minLength: 1,
    maxLength: 200,
    example: 'Acme Europe',
  })
  @IsName()
  name: string;
}

/** A workspace with its name and plan. */
export class NamedWorkspace {
  @ApiProperty({
    description: 'Unique identifier of the workspace.',
    format: 'uuid',
    example: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17',
  })
  id: string;
  @ApiProperty({ description: 'Name of the workspace.', maxLength: 200, example: 'Acme Europe' })
  name: string;
  @ApiProperty({ description: 'Plan of the workspace.', enum: PLANS, example: 'growth' })
  plan: Plan;
}

/** Response of renaming a workspace. */
export class RenamedWorkspace {
  @ApiProperty({ description: 'The workspace after the change.', type: NamedWorkspace })
  workspace: NamedWorkspace;
}

const nullable = { type: String, nullable: true } as const;

/** What the workspace says of itself. */
export class WorkspaceProfile {
  @ApiProperty({ ...nullable, description: 'Name of the company. Null if not set.', maxLength: 200, example: 'Acme' })
  name: string | null;
  @ApiProperty({
    ...nullable,
    description: 'Website of the company. Null if not set.',
    maxLength: 300,
    example: 'https://acme.com',
  })
  website: string | null;
  @ApiProperty({
    ...nullable,
    description: 'What the company sells: `service` or `software`. Null if not set.',
    maxLength: 80,
    example: 'software',
  })
  business_type: string | null;
  @ApiProperty({
    ...nullable,
    description: 'How customers start: `free_plan`, `free_trial`, `both` or `paid_only`. Null if not set.',
    maxLength: 80,
    example: 'free_trial',
  })
  plan_model: string | null;
  @ApiProperty({
    ...nullable,
    description: 'Pipeline stage of people who sign up. Null if not set.',
    maxLength: 80,
    example: null,
  })
  default_signup_stage: string | null;
}

/** A section that was written. */
export class WrittenSectionDto {
  @ApiProperty({ description: 'Slug of the section that was written.', example: 'profile' }) section: string;
  @ApiProperty({
    description: 'Version number of the section after the call.',
    type: 'integer',
    minimum: 1,
    example: 1,
  })
  version: number;
  @ApiProperty({
    description: 'Paths in the section that changed; `$` means the whole content.',
    type: [String],
    maxItems: 200,
    example: ['$'],
  })
  changed_paths: string[];
  @ApiPropertyOptional({ description: 'Only for `icp`: whether the content is a scoring model.', example: false })
  compiled?: boolean;
}

/** Response of POST /v2/workspace/onboarding. */
export class OnboardingResult {
  @ApiProperty({ description: 'Always true: the profile was written.', example: true }) ok: true;
  @ApiProperty({ description: 'Workspace profile after the call.', type: WorkspaceProfile })
  workspace: WorkspaceProfile;
  @ApiProperty({ description: 'Sections that were written.', type: [WrittenSectionDto], maxItems: 2 })
  written: WrittenSectionDto[];
  @ApiPropertyOptional({ description: 'True if this was a dry run; omitted otherwise.', example: false })
  dry_run?: boolean;
}
