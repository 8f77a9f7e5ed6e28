import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One observation as a caller sends it. Checked by the domain (`readObservations`), described here. */
export class ObservationDto {
  @ApiProperty({ enum: ['event', 'state'], description: 'An interaction that happened, or a fact that is stated.' })
  kind: 'event' | 'state';

  @ApiProperty({
    description: 'Events: `interaction.<type>`. States: a bare name such as `title`, `intent`, `stage`.',
    example: 'title',
    maxLength: 92,
    pattern: '^[a-z][a-z0-9_.-]*$',
  })
  property: string;

  @ApiPropertyOptional({
    description:
      'Events: an object with details. States: the value; `null` says that the fact has ended. At most 64 KB.',
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
    description: 'Where the signal came from.',
    default: 'agent',
    maxLength: 100,
    example: 'crm:hubspot',
  })
  source?: string;

  @ApiPropertyOptional({ description: 'How it was captured.', default: 'api', maxLength: 100, example: 'sync' })
  method?: string;

  @ApiPropertyOptional({
    description: 'When it happened, ISO 8601. Default: the time of receipt.',
    format: 'date-time',
    maxLength: 40,
    example: '2026-11-20T09:30:00Z',
  })
  observed_at?: string;

  @ApiPropertyOptional({
    description: 'Key of the upstream system. The same key for the same entity, source and property is recorded once.',
    maxLength: 512,
    example: 'msg-8842',
  })
  external_id?: string;

  @ApiPropertyOptional({
    description: 'The upstream payload, kept for audit and never interpreted. At most 256 KB.',
    type: 'object',
    additionalProperties: true,
  })
  raw?: Record<string, unknown>;
}

/** The body of POST /v2/observations. */
export class RecordObservationsRequest {
  @ApiProperty({
    description:
      'Entity UUID, e-mail address, domain or LinkedIn URL. A bare name is refused. Made if nobody has it yet.',
    example: 'ada@acme.com',
    maxLength: 320,
  })
  focus: string;

  @ApiProperty({ type: [ObservationDto], minItems: 1, maxItems: 1000 })
  observations: ObservationDto[];
}

/** See RecordConflict. */
export class RecordConflictDto {
  @ApiProperty({ type: 'integer', description: 'Place of the observation in the request, from 0.' })
  index: number;

  @ApiProperty({ maxLength: 512 })
  external_id: string;

  @ApiProperty({ format: 'uuid', description: 'The observation that was recorded first and stands.' })
  existing_id: string;
}

/** See MergeOutcome. */
export class MergeOutcomeDto {
  @ApiProperty({ enum: ['merged', 'proposed'] })
  status: string;

  @ApiProperty({ format: 'uuid', description: 'Whom the identifier belonged to.' })
  other_entity_id: string;

  @ApiProperty({
    type: [String],
    description:
      'What spoke against merging the two without being asked: `weak_source`, `shared_mailbox`, `not_same`, ' +
      '`different_type`, `different_linkedin`, `different_work_email`.',
    example: ['different_linkedin'],
  })
  guards: string[];
}

/** The answer of POST /v2/observations. */
export class RecordResultDto {
  @ApiProperty({ format: 'uuid', description: 'The entity the observations were appended to.' })
  entity_id: string;

  @ApiProperty({ type: 'integer', description: 'Observations appended; repeats are not counted.', example: 2 })
  recorded: number;

  @ApiProperty({ type: [String], description: 'State properties whose claim was derived again.', example: ['title'] })
  claims_recomputed: string[];

  @ApiProperty({
    type: 'integer',
    description: 'Observations that were there already under their external id.',
    example: 0,
  })
  duplicates: number;

  @ApiProperty({
    type: [RecordConflictDto],
    description: 'Known external ids with other content; the first one stands.',
  })
  conflicts: RecordConflictDto[];

  @ApiProperty({ type: [String], description: 'Ids of the appended observations, in the order of the request.' })
  observation_ids: string[];

  @ApiProperty({ description: 'Whether the entity did not exist before.', example: true })
  entity_created: boolean;

  @ApiPropertyOptional({
    type: MergeOutcomeDto,
    description: 'Given when an identifier was stated that belongs to another entity: merged with it, or proposed.',
  })
  merge?: MergeOutcomeDto;
}
