import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** What decided an outreach class. */
export class OutreachEvidenceDto {
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'Observation that decided the class. Omitted if a list did.',
  })
  observation_id?: string;
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'Lead list that decided the class. Omitted if an observation did.',
  })
  list_id?: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Time of the observation or of the change in the list, ISO 8601.',
  })
  at: string;
}

/** A lead list that a contact is in. */
export class LeadListMembershipDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the list.' })
  list_id: string;
  @ApiProperty({ type: String, example: 'November outreach', description: 'Display name of the list.' })
  name: string;
  @ApiProperty({ type: String, example: 'queued', description: 'Status of the contact in the list.' })
  status: string;
}

/** A row that could not be classified. */
export class DedupErrorDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 0,
    description: 'Zero-based position of the row in the request.',
  })
  index: number;
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'number' }],
    nullable: true,
    description: 'Your reference for the row. Null if none was sent.',
  })
  ref: object;
  @ApiProperty({
    enum: ['own_domain', 'identifier_required', 'invalid_identifier'],
    description: 'Code of the problem.',
  })
  error: string;
  @ApiProperty({
    type: String,
    example: 'The row has no identifier.',
    description: 'Explanation of the problem, for display.',
  })
  detail: string;
}
