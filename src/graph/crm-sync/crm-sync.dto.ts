import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Run } from '#plugin-host/runs/runs.dto.js';
import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** Which way facts travel. */
export const SYNC_DIRECTIONS = ['pull', 'push', 'both'] as const;

/** What makes a contact in the CRM. */
export const CREATE_TRIGGERS = [
  'positive_reply_or_meeting',
  'any_reply_or_meeting',
  'meeting_only',
  'interested_stage',
] as const;

/** How often the CRM is tidied. */
export const HYGIENE_CADENCES = ['weekly', 'monthly'] as const;

/** How settings are described that only the plugin of a partner can have. */
const NOT_BUNDLED = 'The bundled CRM sync does not offer it and refuses it with 400.';

const flag = (description: string) => ({ description, example: false });

/** Which sync is started: one that only counts, one of what changed, or one of everything. */
export const SYNC_STARTS = ['dry_run', 'changes', 'full'] as const;

/** The body of POST /v2/workspace/crm-sync. What is left out stays as it is. */
export class UpdateCrmSync {
  @ApiPropertyOptional({
    description: 'CRM whose sync settings to change, such as `hubspot`. Required.',
    maxLength: 60,
    example: 'hubspot',
  })
  @IsOptional()
  @IsString()
  @MaxLength(60)
  provider?: string;

  @ApiPropertyOptional({
    enum: SYNC_DIRECTIONS,
    description: '`pull` reads from the CRM, `push` writes to it, `both` does both.',
    example: 'pull',
  })
  @IsOptional()
  @IsIn(SYNC_DIRECTIONS)
  direction?: (typeof SYNC_DIRECTIONS)[number];

  @ApiPropertyOptional({
    description: 'Maps properties in Rapport to field names in the CRM.',
    type: 'object',
    additionalProperties: true,
    example: { title: 'jobtitle' },
  })
  @IsOptional()
  @IsObject()
  field_map?: Record<string, unknown>;

  @ApiPropertyOptional({
    description: 'Conditions that records must meet to be synced. Default: all records.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  @IsOptional()
  @IsObject()
  filters?: Record<string, unknown>;

  @ApiPropertyOptional(flag('Whether to sync automatically on a schedule.'))
  @IsOptional()
  @IsBoolean()
  auto_sync?: boolean;

  @ApiPropertyOptional(flag(`Whether to write activities, such as e-mails and meetings, to the CRM. ${NOT_BUNDLED}`))
  @IsOptional()
  @IsBoolean()
  push_activities?: boolean;

  @ApiPropertyOptional(flag('Whether to create contacts in the CRM that it does not have yet.'))
  @IsOptional()
  @IsBoolean()
  create_in_crm?: boolean;

  @ApiPropertyOptional({
    enum: CREATE_TRIGGERS,
    description: 'What must happen before a contact is created in the CRM. Used with `create_in_crm`.',
    example: 'meeting_only',
  })
  @IsOptional()
  @IsIn(CREATE_TRIGGERS)
  create_trigger?: (typeof CREATE_TRIGGERS)[number];

  @ApiPropertyOptional(flag('Whether only contacts that fit the ideal customer profile are created in the CRM.'))
  @IsOptional()
  @IsBoolean()
  create_require_icp_fit?: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description:
      'Minimum Fit score, 0 to 100, for a contact to be created in the CRM. Used with `create_require_icp_fit`.',
    example: 70,
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(100)
  create_icp_threshold?: number;

  @ApiPropertyOptional(flag(`Whether to propose clean-ups of CRM data, such as duplicates. ${NOT_BUNDLED}`))
  @IsOptional()
  @IsBoolean()
  hygiene_enabled?: boolean;

  @ApiPropertyOptional({
    enum: HYGIENE_CADENCES,
    description: `How often clean-ups are proposed. ${NOT_BUNDLED}`,
    example: 'weekly',
  })
  @IsOptional()
  @IsIn(HYGIENE_CADENCES)
  hygiene_cadence?: (typeof HYGIENE_CADENCES)[number];

  @ApiPropertyOptional({
    enum: SYNC_STARTS,
    description:
      'Starts a sync with the saved settings: `dry_run` counts and shows what it would do, `changes` syncs what changed since the ' +
      'last one, `full` everything. While one is unfinished, it is returned instead. Not together with `dry_run`.',
    example: 'dry_run',
  })
  @IsOptional()
  @IsIn(SYNC_STARTS)
  start_sync?: (typeof SYNC_STARTS)[number];

  @ApiPropertyOptional({
    description: 'Set to true to return the changes in `dry_run_diff` without saving them.',
    default: false,
    example: false,
  })
  @IsOptional()
  @IsBoolean()
  dry_run?: boolean;
}

const json = {
  oneOf: [
    { type: 'string', maxLength: 2000 },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object', additionalProperties: true },
  ],
};

/** A setting that changes. */
export class SettingChange {
  @ApiProperty({ description: 'Name of the setting.', maxLength: 60, example: 'direction' }) setting: string;
  @ApiProperty({
    ...json,
    nullable: true,
    description: 'Value before the change. Null if the setting was not set.',
    example: 'both',
  })
  from: unknown;
  @ApiProperty({ ...json, description: 'Value after the change.', example: 'pull' }) to: unknown;
}

/** Settings of CRM sync. */
export class CrmSync {
  @ApiProperty({ description: 'Whether a CRM is connected, so that there are settings.', example: true }) ok: boolean;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'ID of the CRM connection. Null if no CRM is connected.',
    example: null,
  })
  sync_id: string | null;
  @ApiProperty({
    description: 'Effective settings, including defaults. Null if no CRM is connected.',
    type: 'object',
    nullable: true,
    additionalProperties: true,
    example: null,
  })
  config: object | null;
  @ApiProperty({ description: 'CRMs that the workspace is connected to.', type: [String], maxItems: 10, example: [] })
  connected_providers: string[];
  @ApiProperty({
    maxLength: 500,
    description: 'State of the sync in one sentence, for display.',
    example: 'No CRM is connected.',
  })
  message: string;
  @ApiProperty({
    type: Run,
    nullable: true,
    description: 'Newest sync or dry run, with its progress and, at its end, its result. Null before the first one.',
    example: null,
  })
  last_run: Run | null;
}

/** Response of POST /v2/workspace/crm-sync. */
export class CrmSyncUpdateResult extends CrmSync {
  @ApiProperty({
    type: [SettingChange],
    maxItems: 50,
    description: 'Settings that change, or would change in a dry run.',
  })
  dry_run_diff: SettingChange[];
  @ApiPropertyOptional({ description: 'True if this was a dry run; omitted otherwise.', example: false })
  dry_run?: boolean;
}
