import { ApiProperty } from '@nestjs/swagger';
import { PLANS, type Plan } from '#domain/plans/tiers.js';
import { WorkspaceProfile } from './onboarding.dto.js';
import { RetentionRunDto } from '../retention/retention.dto.js';

const ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const count = { type: 'integer', minimum: 0, maximum: 10_000, example: 12 } as const;
const moment = { type: String, nullable: true, format: 'date-time', example: null } as const;

class StatusProfile extends WorkspaceProfile {
  @ApiProperty({ description: 'Unique identifier of the workspace.', format: 'uuid', example: ID }) id: string;
}

class StatusPlan {
  @ApiProperty({ description: 'Identifier of the plan.', enum: PLANS, example: 'growth' }) id: Plan;
  @ApiProperty({ description: 'Display name of the plan.', maxLength: 20, example: 'Growth' }) name: string;
  @ApiProperty({ description: 'Whether the plan includes CRM sync.', example: true }) crm_sync: boolean;
  @ApiProperty({ description: 'Whether the plan includes lead lists.', example: true }) lead_lists: boolean;
  @ApiProperty({ description: 'Whether the plan includes scoring against the ideal customer profile.', example: true })
  icp_scoring: boolean;
}

class WorkspaceCounts {
  @ApiProperty({ ...count, description: 'Number of people, counted up to 10,000.' }) people: number;
  @ApiProperty({ ...count, description: 'Number of companies, counted up to 10,000.' }) companies: number;
  @ApiProperty({ ...count, description: 'Number of observations, counted up to 10,000.' }) observations: number;
  @ApiProperty({ ...count, description: 'Number of notes, counted up to 10,000.' }) notes: number;
  @ApiProperty({ ...count, description: 'Number of leads, counted up to 10,000.' }) leads: number;
  @ApiProperty({ ...count, description: 'Number of lead lists, counted up to 10,000.' }) lead_lists: number;
}

class OnboardingState {
  @ApiProperty({ description: 'Whether this step is complete.', example: false }) done: boolean;
  @ApiProperty({
    description: 'Fields or sections that are still missing. Empty when done.',
    type: [String],
    maxItems: 10,
    example: ['website'],
  })
  missing: string[];
}

class IcpState {
  @ApiProperty({ description: 'Whether a scoring model exists.', example: true }) done: boolean;
  @ApiProperty({
    description: 'Version of the `icp` section. Null if it does not exist.',
    type: 'integer',
    nullable: true,
    example: null,
  })
  version: number | null;
  @ApiProperty({
    ...moment,
    description: 'Time at which the `icp` section last changed, ISO 8601. Null if it does not exist.',
  })
  updated_at: string | null;
}

class PlaybookState extends OnboardingState {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'Number of go-to-market sections that exist.',
    example: 3,
  })
  facts: number;
  @ApiProperty({ description: 'Slugs of the sections that exist.', type: [String], maxItems: 10, example: ['pricing'] })
  sections: string[];
}

class ConnectedProviderDto {
  @ApiProperty({ description: 'Display name of the connection.', maxLength: 200, example: 'Cal.com' }) name: string;
  @ApiProperty({ description: 'Identifier of the provider.', maxLength: 60, example: 'calcom' }) provider: string;
  @ApiProperty({ description: 'Kind of integration, such as `calendar`.', maxLength: 40, example: 'calendar' })
  category: string;
  @ApiProperty({
    description: '`connected`, or `degraded` if recent attempts failed.',
    enum: ['connected', 'degraded'],
    example: 'connected',
  })
  state: string;
  @ApiProperty({
    ...moment,
    description: 'Time of the latest event from the provider, ISO 8601. Null if there was none.',
  })
  last_used_at: string | null;
}

class IntegrationsState {
  @ApiProperty({
    description: 'Number of connected providers.',
    type: 'integer',
    minimum: 0,
    maximum: 1000,
    example: 1,
  })
  count: number;
  @ApiProperty({
    description: 'Providers that the workspace is connected to.',
    type: [ConnectedProviderDto],
    maxItems: 1000,
  })
  connected: ConnectedProviderDto[];
}

class RecordsState {
  @ApiProperty({ ...count, description: 'Number of people and companies.' }) count: number;
}

class CrmSyncState {
  @ApiProperty({ description: 'Whether the plan includes CRM sync and its plugin is running.', example: false })
  available: boolean;
  @ApiProperty({ description: 'Whether a CRM is connected.', example: false }) configured: boolean;
  @ApiProperty({ description: 'CRMs that the workspace is connected to.', type: [String], maxItems: 10, example: [] })
  providers: string[];
}

class TriggersState {
  @ApiProperty({ description: 'Whether the triggers plugin is running.', example: false }) available: boolean;
}

class SetupState {
  @ApiProperty({ description: 'State of the workspace profile.' }) onboarding: OnboardingState;
  @ApiProperty({ description: 'State of the ideal customer profile.' }) icp: IcpState;
  @ApiProperty({ description: 'State of the go-to-market sections.' }) gtm_playbook: PlaybookState;
  @ApiProperty({ description: 'State of the integrations.' }) integrations: IntegrationsState;
  @ApiProperty({ description: 'State of the contact data.' }) records: RecordsState;
  @ApiProperty({ description: 'State of CRM sync.' }) crm_sync: CrmSyncState;
  @ApiProperty({ description: 'State of outbound webhooks.' }) triggers: TriggersState;
}

class RetentionState {
  @ApiProperty({
    type: RetentionRunDto,
    nullable: true,
    description: 'The last nightly run that removed old data; null before the first one.',
  })
  last_run: RetentionRunDto | null;
}

class NextStepDto {
  @ApiProperty({
    description: 'Identifier of the step.',
    enum: ['profile', 'icp', 'playbook', 'records', 'integrations'],
    example: 'icp',
  })
  id: string;
  @ApiProperty({ description: 'What to do, for display.', maxLength: 200, example: 'Describe the ideal customer' })
  title: string;
  @ApiProperty({
    description: 'Why the step matters.',
    maxLength: 300,
    example: 'Without a model the Fit of every lead is unknown.',
  })
  why: string;
  @ApiProperty({
    description: 'Tool or call that completes the step.',
    maxLength: 300,
    example: 'build_icp_model with a description',
  })
  how: string;
}

class QuotaState {
  @ApiProperty({
    description: 'What the plan allows. Null if there is no limit.',
    type: 'integer',
    nullable: true,
    example: 10_000,
  })
  limit: number | null;
  @ApiProperty({
    description: 'What is used. People and notes are counted up to the limit.',
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    example: 12,
  })
  used: number;
}

class WorkspaceQuotas {
  @ApiProperty({ description: 'Number of people in the workspace.' }) people: QuotaState;
  @ApiProperty({ description: 'Number of observations since midnight UTC.' }) observations_per_day: QuotaState;
  @ApiProperty({ description: 'Number of notes in the workspace.' }) notes: QuotaState;
  @ApiProperty({ description: 'Stored data in megabytes, estimated from what was written.' }) storage_mb: QuotaState;
  @ApiProperty({ description: 'Number of API keys that are neither revoked nor expired.' }) api_keys: QuotaState;
  @ApiProperty({ description: 'Number of connections to providers.' }) connections: QuotaState;
}

/** Response of GET /v2/workspace/status. */
export class WorkspaceSetupStatus {
  @ApiProperty({ description: 'Workspace profile and ID.' }) workspace: StatusProfile;
  @ApiProperty({ description: 'Plan of the workspace and the features it includes.' }) plan: StatusPlan;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'Share of setup steps that are complete, in percent.',
    example: 40,
  })
  completeness: number;
  @ApiProperty({ description: 'Number of records per kind, each counted up to 10,000.' }) counts: WorkspaceCounts;
  @ApiProperty({ description: 'Whether any count reached 10,000 and may be higher.', example: false })
  counts_bounded: boolean;
  @ApiProperty({
    description: 'Quotas of the plan. A write beyond one gets 403 `quota_exceeded`; reads always work.',
  })
  quotas: WorkspaceQuotas;
  @ApiProperty({ description: 'State of each setup step.' }) setup: SetupState;
  @ApiProperty({ description: 'What the nightly removal of old data did.' }) retention: RetentionState;
  @ApiProperty({ type: [NextStepDto], maxItems: 10, description: 'Recommended next steps, most important first.' })
  next_steps: NextStepDto[];
}
