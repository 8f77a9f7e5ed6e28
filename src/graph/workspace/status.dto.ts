import { ApiProperty } from '@nestjs/swagger';
import { PLANS, type Plan } from '#domain/plans/tiers.js';
import { WorkspaceProfile } from './onboarding.dto.js';

const ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const count = { type: 'integer', minimum: 0, maximum: 10_000, example: 12 } as const;
const moment = { type: String, nullable: true, format: 'date-time', example: null } as const;

class StatusProfile extends WorkspaceProfile {
  @ApiProperty({ format: 'uuid', example: ID }) id: string;
}

class StatusPlan {
  @ApiProperty({ enum: PLANS, example: 'growth' }) id: Plan;
  @ApiProperty({ maxLength: 20, example: 'Growth' }) name: string;
  @ApiProperty({ description: 'Whether the plan keeps a CRM in step.', example: true }) crm_sync: boolean;
  @ApiProperty({ example: true }) lead_lists: boolean;
  @ApiProperty({ example: true }) icp_scoring: boolean;
}

class WorkspaceCounts {
  @ApiProperty(count) people: number;
  @ApiProperty(count) companies: number;
  @ApiProperty(count) observations: number;
  @ApiProperty(count) notes: number;
  @ApiProperty(count) leads: number;
  @ApiProperty(count) lead_lists: number;
}

class OnboardingState {
  @ApiProperty({ example: false }) done: boolean;
  @ApiProperty({ type: [String], maxItems: 10, example: ['website'] }) missing: string[];
}

class IcpState {
  @ApiProperty({ description: 'There is a model that leads are scored by.', example: true }) done: boolean;
  @ApiProperty({ type: 'integer', nullable: true, example: null }) version: number | null;
  @ApiProperty(moment) updated_at: string | null;
}

class PlaybookState extends OnboardingState {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Sections that there are.', example: 3 })
  facts: number;
  @ApiProperty({ type: [String], maxItems: 10, example: ['pricing'] }) sections: string[];
}

class ConnectedProviderDto {
  @ApiProperty({ maxLength: 200, example: 'Cal.com' }) name: string;
  @ApiProperty({ maxLength: 60, example: 'calcom' }) provider: string;
  @ApiProperty({ maxLength: 40, example: 'calendar' }) category: string;
  @ApiProperty({ enum: ['connected', 'degraded'], example: 'connected' }) state: string;
  @ApiProperty(moment) last_used_at: string | null;
}

class IntegrationsState {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1000, example: 1 }) count: number;
  @ApiProperty({ type: [ConnectedProviderDto], maxItems: 1000 }) connected: ConnectedProviderDto[];
}

class RecordsState {
  @ApiProperty({ ...count, description: 'People and companies.' }) count: number;
}

class CrmSyncState {
  @ApiProperty({ description: 'The plan includes it and its plugin serves.', example: false }) available: boolean;
  @ApiProperty({ example: false }) configured: boolean;
  @ApiProperty({ type: [String], maxItems: 10, example: [] }) providers: string[];
}

class TriggersState {
  @ApiProperty({ description: 'Its plugin serves.', example: false }) available: boolean;
}

class SetupState {
  @ApiProperty() onboarding: OnboardingState;
  @ApiProperty() icp: IcpState;
  @ApiProperty() gtm_playbook: PlaybookState;
  @ApiProperty() integrations: IntegrationsState;
  @ApiProperty() records: RecordsState;
  @ApiProperty() crm_sync: CrmSyncState;
  @ApiProperty() triggers: TriggersState;
}

class NextStepDto {
  @ApiProperty({ enum: ['profile', 'icp', 'playbook', 'records', 'integrations'], example: 'icp' }) id: string;
  @ApiProperty({ maxLength: 200, example: 'Describe the ideal customer' }) title: string;
  @ApiProperty({ maxLength: 300, example: 'Without a model the Fit of every lead is unknown.' }) why: string;
  @ApiProperty({ maxLength: 300, example: 'build_icp_model with a description' }) how: string;
}

/** The answer of GET /v2/workspace/status. */
export class WorkspaceSetupStatus {
  @ApiProperty({ description: 'What the workspace says of itself, with its id.' }) workspace: StatusProfile;
  @ApiProperty() plan: StatusPlan;
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Percent of the steps done.', example: 40 })
  completeness: number;
  @ApiProperty({ description: 'What there is, counted up to 10 000 of each.' }) counts: WorkspaceCounts;
  @ApiProperty({ description: 'Some count is at its bound and stands for more.', example: false })
  counts_bounded: boolean;
  @ApiProperty() setup: SetupState;
  @ApiProperty({ type: [NextStepDto], maxItems: 10, description: 'What to do next.' }) next_steps: NextStepDto[];
}
