import { ApiProperty } from '@nestjs/swagger';

/** An observation that states another value than the claim. */
export class OpposingObservationDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'ID of the observation.' })
  observation_id: string;
  @ApiProperty({ type: String, example: 'crm:hubspot', description: 'System or person that provided the observation.' })
  source: string;
  @ApiProperty({ example: 'CTO', nullable: true, description: 'Value that the source states, any JSON.' })
  value: unknown | null;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time of the observation, ISO 8601.' })
  observed_at: string;
  @ApiProperty({
    type: Number,
    minimum: 0,
    maximum: 1,
    example: 0.4,
    description: 'Weight of the observation after decay, 0 to 1.',
  })
  weight: number;
  @ApiProperty({
    type: String,
    example: 'An older statement.',
    description: 'Why the value did not prevail, in one sentence.',
  })
  why: string;
}

/** A previous value of a claim. */
export class ClaimPeriodDto {
  @ApiProperty({ example: 'CTO', nullable: true, description: 'Value in this period, any JSON.' })
  value: unknown | null;
  @ApiProperty({ type: String, format: 'date-time', description: 'Start of the period, ISO 8601.' })
  valid_from: string;
  @ApiProperty({ type: String, format: 'date-time', description: 'End of the period, ISO 8601.' })
  valid_to: string;
  @ApiProperty({ type: String, format: 'uuid', description: 'ID of the observation that ended the period.' })
  ended_by: string;
}
