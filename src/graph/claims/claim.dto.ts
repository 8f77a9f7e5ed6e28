import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

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

/** A statement behind a claim. */
export class ClaimSourceDto {
  @ApiProperty({ description: 'ID of the supporting observation.', format: 'uuid' }) observation_id: string;
  @ApiProperty({ description: 'System or person that provided the observation.', example: 'agent' }) source: string;
  @ApiProperty({ description: 'How the observation was captured.', example: 'api' }) method: string;
  @ApiProperty({ description: 'Time of the observation, ISO 8601.', format: 'date-time' }) observed_at: string;
  @ApiProperty({ description: 'Reliability of the source and method, 0 to 1.', example: 0.75 }) r: number;
  @ApiProperty({ description: 'Reliability after decay by the age of the observation, 0 to 1.', example: 0.75 })
  weight: number;
}

/** A derived fact without its entity. */
export class ValueClaimDto {
  @ApiProperty({ description: 'Name of the property, such as `title` or `stage`.', example: 'title' }) property: string;
  @ApiProperty({
    description: 'Current value, any JSON. Null if the fact has ended.',
    nullable: true,
    example: 'VP Sales',
  })
  value: unknown;
  @ApiProperty({
    description: 'JSON type of `value`.',
    enum: ['null', 'boolean', 'number', 'string', 'array', 'object'],
  })
  value_type: string;
  @ApiProperty({
    description: '`current` while the fact holds, `ended` once it was stated to have ended.',
    enum: ['current', 'ended'],
  })
  status: string;
  @ApiProperty({
    description:
      'Probability that the value is right, 0 to 0.99. Act on a claim that is `fresh`, not `inferred` ' +
      'and above 0.7; verify any other first.',
    example: 0.75,
  })
  confidence: number;
  @ApiProperty({
    description:
      'Age of the newest support relative to how quickly such facts change: `fresh`, `aging`, `suspect` or ' +
      '`expired`.',
    enum: ['fresh', 'aging', 'suspect', 'expired'],
  })
  freshness: string;
  @ApiPropertyOptional({
    type: String,
    description: 'Why the fact is `suspect` although its age is no reason. Only for facts of an earlier job.',
    example: 'It was stated before the employer changed on 2026-06-01; verify it for the new job.',
  })
  freshness_reason?: string;
  @ApiProperty({
    description: 'Estimated probability that the fact has not changed since it was last observed, 0 to 1.',
    example: 0.99,
  })
  freshness_score: number;
  @ApiProperty({
    description:
      'Basis of the claim: `asserted`, `observed`, `reported`, `inferred`, `corroborated` (several sources ' +
      'agree), `contested` (sources disagree) or `ended`.',
    enum: ['asserted', 'observed', 'reported', 'inferred', 'corroborated', 'contested', 'ended'],
  })
  epistemic_class: string;
  @ApiProperty({ description: 'Time since which the value holds, ISO 8601.', format: 'date-time' }) valid_from: string;
  @ApiProperty({
    description: 'Time at which the fact ended, ISO 8601. Null while it holds.',
    type: String,
    format: 'date-time',
    nullable: true,
  })
  valid_to: string | null;
  @ApiProperty({ description: 'Time of the newest supporting observation, ISO 8601.', format: 'date-time' })
  last_observed_at: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which the claim stops being `fresh`, ISO 8601. Null if such facts never age.',
  })
  refresh_due_at: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which the claim becomes `expired`, ISO 8601. Null if such facts never age.',
  })
  decays_at: string | null;
  @ApiProperty({ description: 'Number of observations that support the claim.', type: 'integer' })
  observation_count: number;
  @ApiProperty({ description: 'Observations that support the claim, strongest first.', type: [ClaimSourceDto] })
  sources: ClaimSourceDto[];
  @ApiProperty({
    type: [OpposingObservationDto],
    description: 'Latest observations from sources that state another value, and why they did not prevail.',
  })
  opposing: OpposingObservationDto[];
  @ApiPropertyOptional({
    type: [ClaimPeriodDto],
    description: 'Previous values, newest first. Omitted with `history=false`.',
  })
  history?: ClaimPeriodDto[];
  @ApiProperty({ description: 'Version of the trust settings that the claim was computed with.', example: 'default@8' })
  trust_version: string;
}

/** A derived fact with what a caller needs to judge it. */
export class ClaimDto extends ValueClaimDto {
  @ApiProperty({ description: 'Entity that the claim is about.', format: 'uuid' }) entity_id: string;
  @ApiPropertyOptional({
    type: [ValueClaimDto],
    description: 'Only for properties with several values: the claim of each value.',
  })
  values?: ValueClaimDto[];
}
