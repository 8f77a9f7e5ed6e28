import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { focusProperty } from '../identity/focus.dto.js';

/** One observation as a caller sends it. Checked by the domain (`readObservations`), described here. */
export class ObservationDto {
  @ApiProperty({
    enum: ['event', 'state'],
    description:
      '`event` for something that happened, such as a reply; `state` for a fact that holds, such as a job title.',
  })
  kind: 'event' | 'state';

  @ApiProperty({
    description:
      'For an event, `interaction.<type>` such as `interaction.email_replied`. For a state, a bare name ' +
      'such as `title`, `intent` or `stage`.',
    example: 'title',
    maxLength: 92,
    pattern: '^[a-z][a-z0-9_.-]*$',
  })
  property: string;

  @ApiPropertyOptional({
    description:
      'For an event, an object with details. For a state, the value of the fact; `null` states that the ' +
      'fact has ended. At most 64 KB of JSON.',
    example: 'VP Sales',
    nullable: true,
    oneOf: [
      { type: 'string', maxLength: 65_536 },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: {}, maxItems: 10_000 },
      { type: 'object', additionalProperties: true },
    ],
  })
  value?: unknown;

  @ApiPropertyOptional({
    description:
      'System or person the information comes from, such as `crm:hubspot`. Determines how much it is trusted.',
    default: 'agent',
    maxLength: 100,
    example: 'crm:hubspot',
  })
  source?: string;

  @ApiPropertyOptional({
    description: 'How the information was captured, such as `api`, `sync` or `manual`.',
    default: 'api',
    maxLength: 100,
    example: 'sync',
  })
  method?: string;

  @ApiPropertyOptional({
    description: 'Time at which it happened or was true, ISO 8601. Default: the time the request is received.',
    format: 'date-time',
    maxLength: 40,
    example: '2026-11-20T09:30:00Z',
  })
  observed_at?: string;

  @ApiPropertyOptional({
    description:
      'Deduplication key from the source system. The same key for the same entity, source and property is ' +
      'recorded only once.',
    maxLength: 512,
    example: 'msg-8842',
  })
  external_id?: string;

  @ApiPropertyOptional({
    description:
      'Original payload from the source system, stored for audit and never interpreted. At most 256 KB of JSON.',
    type: 'object',
    additionalProperties: true,
  })
  raw?: Record<string, unknown>;
}

/** The body of POST /v2/observations. */
export class RecordObservationsRequest {
  @ApiProperty(
    focusProperty(
      'Subject of the observations: entity UUID, e-mail address, domain or LinkedIn URL. Created if it does ' +
        'not exist. A bare name returns 400 `invalid_focus`.',
    ),
  )
  focus: string;

  @ApiProperty({
    description: 'Observations to append, 1 to 1000. The batch is accepted or rejected as a whole.',
    type: [ObservationDto],
    minItems: 1,
    maxItems: 1000,
  })
  observations: ObservationDto[];
}

/** An observation whose deduplication key was used before for other content. */
export class RecordConflictDto {
  @ApiProperty({ type: 'integer', description: 'Zero-based position of the observation in the request.' })
  index: number;

  @ApiProperty({ description: 'Deduplication key that was already used.', maxLength: 512 })
  external_id: string;

  @ApiProperty({ format: 'uuid', description: 'ID of the observation that was recorded first and remains in effect.' })
  existing_id: string;
}

/** Outcome of an identifier that belongs to another entity. */
export class MergeOutcomeDto {
  @ApiProperty({
    description: '`merged` if the two entities were merged, `proposed` if a merge awaits a decision.',
    enum: ['merged', 'proposed'],
  })
  status: string;

  @ApiProperty({ format: 'uuid', description: 'Entity that owned the identifier before.' })
  other_entity_id: string;

  @ApiProperty({
    type: [String],
    description:
      'Reasons that prevented an automatic merge: `weak_source`, `shared_mailbox`, `not_same`, ' +
      '`different_type`, `different_linkedin`, `different_work_email`, `different_name`. Empty if the entities were merged.',
    example: ['different_linkedin'],
  })
  guards: string[];
}

/** Response of POST /v2/observations. */
export class RecordResultDto {
  @ApiProperty({ format: 'uuid', description: 'Entity that the observations were appended to.' })
  entity_id: string;

  @ApiProperty({
    type: 'integer',
    description: 'Number of observations appended. Duplicates are not counted.',
    example: 2,
  })
  recorded: number;

  @ApiProperty({
    type: [String],
    description: 'State properties whose claim was recomputed by this call. Refetch only these.',
    example: ['title'],
  })
  claims_recomputed: string[];

  @ApiProperty({
    type: 'integer',
    description: 'Number of observations skipped because their external ID was already recorded.',
    example: 0,
  })
  duplicates: number;

  @ApiProperty({
    type: [RecordConflictDto],
    description:
      'Observations that reuse an external ID with different content. The first recorded version stays in effect.',
  })
  conflicts: RecordConflictDto[];

  @ApiProperty({ type: [String], description: 'IDs of the appended observations, in the order of the request.' })
  observation_ids: string[];

  @ApiProperty({ description: 'Whether the entity was created by this call.', example: true })
  entity_created: boolean;

  @ApiPropertyOptional({
    type: MergeOutcomeDto,
    description:
      'Present if an observation stated an identifier that another entity owns: the result of the attempt ' +
      'to merge the two.',
  })
  merge?: MergeOutcomeDto;
}
