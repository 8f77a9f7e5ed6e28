import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
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

const flag = (description: string) => ({ description, example: false });

/** The body of POST /v2/workspace/crm-sync. What is left out stays as it is. */
export class UpdateCrmSync {
  @ApiPropertyOptional({ description: 'Which CRM is meant. Required.', maxLength: 60, example: 'hubspot' })
  @IsOptional()
  @IsString()
  @MaxLength(60)
  provider?: string;

  @ApiPropertyOptional({ enum: SYNC_DIRECTIONS, description: 'Which way facts travel.', example: 'pull' })
  @IsOptional()
  @IsIn(SYNC_DIRECTIONS)
  direction?: (typeof SYNC_DIRECTIONS)[number];

  @ApiPropertyOptional({
    description: 'Properties here, and the fields that they are there.',
    type: 'object',
    additionalProperties: true,
    example: { title: 'jobtitle' },
  })
  @IsOptional()
  @IsObject()
  field_map?: Record<string, unknown>;

  @ApiPropertyOptional({
    description: 'Only what fits is synchronised.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  @IsOptional()
  @IsObject()
  filters?: Record<string, unknown>;

  @ApiPropertyOptional(flag('Synchronise by itself.'))
  @IsOptional()
  @IsBoolean()
  auto_sync?: boolean;

  @ApiPropertyOptional(flag('Write activities to the CRM.'))
  @IsOptional()
  @IsBoolean()
  push_activities?: boolean;

  @ApiPropertyOptional(flag('Make contacts in the CRM.'))
  @IsOptional()
  @IsBoolean()
  create_in_crm?: boolean;

  @ApiPropertyOptional({ enum: CREATE_TRIGGERS, description: 'What makes a contact there.', example: 'meeting_only' })
  @IsOptional()
  @IsIn(CREATE_TRIGGERS)
  create_trigger?: (typeof CREATE_TRIGGERS)[number];

  @ApiPropertyOptional(flag('Only those who fit the ideal customer.'))
  @IsOptional()
  @IsBoolean()
  create_require_icp_fit?: boolean;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 100, description: 'Least Fit of those.', example: 70 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(100)
  create_icp_threshold?: number;

  @ApiPropertyOptional(flag('Propose how the CRM could be tidied.'))
  @IsOptional()
  @IsBoolean()
  hygiene_enabled?: boolean;

  @ApiPropertyOptional({ enum: HYGIENE_CADENCES, description: 'How often.', example: 'weekly' })
  @IsOptional()
  @IsIn(HYGIENE_CADENCES)
  hygiene_cadence?: (typeof HYGIENE_CADENCES)[number];

  @ApiPropertyOptional({ description: 'Tell what would change, and change nothing.', default: false, example: false })
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
  @ApiProperty({ maxLength: 60, example: 'direction' }) setting: string;
  @ApiProperty({ ...json, nullable: true, description: 'Null: it was not set.', example: 'both' }) from: unknown;
  @ApiProperty({ ...json, description: 'What it is from now on.', example: 'pull' }) to: unknown;
}

/** How a CRM is kept in step. */
export class CrmSync {
  @ApiProperty({ example: true }) ok: boolean;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Id of the connection.', example: null })
  sync_id: string | null;
  @ApiProperty({
    description: 'The settings as they work, defaults filled in; null: no CRM is connected.',
    type: 'object',
    nullable: true,
    additionalProperties: true,
    example: null,
  })
  config: object | null;
  @ApiProperty({ type: [String], maxItems: 10, example: [] }) connected_providers: string[];
  @ApiProperty({ maxLength: 500, description: 'The state in words.', example: 'No CRM is connected.' }) message: string;
}

/** The answer of POST /v2/workspace/crm-sync. */
export class CrmSyncUpdateResult extends CrmSync {
  @ApiProperty({ type: [SettingChange], maxItems: 50, description: 'What changes.' })
  dry_run_diff: SettingChange[];
  @ApiPropertyOptional({ example: false }) dry_run?: boolean;
}
