import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** A scope as it was applied. */
export class AppliedScopeDto {
  @ApiPropertyOptional({ enum: ['event', 'state'], description: 'Kind of observations, if restricted.' })
  kind?: string;
  @ApiPropertyOptional({
    type: String,
    example: 'interaction.email',
    description: 'Canonical prefix of the property, if restricted.',
  })
  property?: string;
  @ApiPropertyOptional({ type: String, example: 'agent', description: 'Exact source, if restricted.' })
  source?: string;
  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'Resolved ID of the entity, if restricted.' })
  entity_id?: string;
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Start of the period, ISO 8601, if restricted.',
  })
  from?: string;
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'End of the period, ISO 8601, if restricted.',
  })
  to?: string;
}

/** A matching observation. */
export class QueryObservationDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the observation.' })
  observation_id: string;
  @ApiProperty({ type: String, format: 'uuid', description: 'Entity that the observation belongs to.' })
  entity_id: string;
  @ApiProperty({
    type: String,
    example: 'Ada Lovelace',
    nullable: true,
    description: 'Display name of the entity. Null if unknown.',
  })
  entity_name: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Time of the observation, ISO 8601; the start of a meeting.',
  })
  when: string;
  @ApiProperty({ enum: ['event', 'state'], description: '`event` for something that happened, `state` for a fact.' })
  kind: string;
  @ApiProperty({
    type: String,
    example: 'email_replied',
    description: 'Property without the namespace `interaction.`.',
  })
  type: string;
  @ApiProperty({
    type: String,
    example: 'interaction.email_replied',
    description: 'Property by the name used in the request.',
  })
  property: string;
  @ApiProperty({ example: 'VP Sales', nullable: true, description: 'Value of the observation, any JSON.' })
  value: unknown | null;
  @ApiProperty({ type: String, example: 'agent', description: 'System or person that provided the observation.' })
  source: string;
  @ApiProperty({ type: String, nullable: true, description: 'Value in one line. Null if there is nothing to show.' })
  summary: string | null;
  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: 1,
    example: 0.7,
    description: 'Similarity to the question, 0 to 1. Only with `question`.',
  })
  similarity?: number;
}

/** An entity with matching observations. */
export class QueryEntityDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the entity.' })
  entity_id: string;
  @ApiProperty({
    type: String,
    example: 'Ada Lovelace',
    nullable: true,
    description: 'Display name of the entity. Null if unknown.',
  })
  entity_name: string | null;
  @ApiProperty({ type: 'integer', minimum: 0, example: 3, description: 'Number of matching observations.' })
  matches: number;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time of the latest match, ISO 8601.' })
  most_recent_at: string;
  @ApiProperty({ type: String, example: 'email_replied', description: 'Type of the latest match.' })
  most_recent_type: string;
  @ApiProperty({ type: String, example: 'agent', description: 'Source of the latest match.' })
  most_recent_source: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Value of the latest match in one line. Null if there is nothing to show.',
  })
  most_recent_summary: string | null;
  @ApiProperty({ example: 'VP Sales', nullable: true, description: 'Value of the latest match, any JSON.' })
  most_recent_value: unknown | null;
}

/** A current claim as a sentence. */
export class QueryFactDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Entity that the claim is about.' })
  entity_id: string;
  @ApiProperty({
    type: String,
    example: 'Ada Lovelace',
    nullable: true,
    description: 'Display name of the entity. Null if unknown.',
  })
  entity_name: string | null;
  @ApiProperty({ type: String, example: 'title', description: 'Property of the claim.' })
  category: string;
  @ApiProperty({ type: String, example: 'title of Ada Lovelace: VP Sales', description: 'The claim as a sentence.' })
  content: string;
  @ApiProperty({ type: String, example: 'agent', description: 'Source of the strongest support.' })
  source: string;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time since which the claim holds, ISO 8601.' })
  date: string;
  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: 1,
    example: 0.7,
    description: 'Similarity to the question, 0 to 1. Only with `question`.',
  })
  similarity?: number;
}

/** Counts over all matches. */
export class QueryRollupsDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { email_replied: 3 },
    description: 'Number of matches per type.',
  })
  by_type: Record<string, number>;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { agent: 3 },
    description: 'Number of matches per source.',
  })
  by_source: Record<string, number>;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Number of entities per newest value. Only for states.',
  })
  by_value?: Record<string, number>;
}

/** Totals over all matches. */
export class QueryTotalsDto {
  @ApiProperty({ type: 'integer', minimum: 0, example: 3, description: 'Number of matching observations.' })
  observations: number;
  @ApiProperty({ type: 'integer', minimum: 0, example: 1, description: 'Number of entities with a match.' })
  entities: number;
}

/** A statement of a summary with its evidence. */
export class QueryBulletDto {
  @ApiProperty({
    type: String,
    example: 'Three replies in the last week.',
    description: 'The statement as a sentence.',
  })
  text: string;
  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    description: 'IDs of the observations that support it, at least one.',
  })
  observation_ids: string[];
}

/** How often a property was observed, compared with the period before. */
export class PeriodChangeDto {
  @ApiProperty({ type: String, example: 'interaction.email_replied', description: 'Property that is compared.' })
  property: string;
  @ApiProperty({ type: 'integer', minimum: 0, example: 3, description: 'Number of observations in the period.' })
  count: number;
  @ApiProperty({ type: 'integer', minimum: 0, example: 1, description: 'Number of entities in the period.' })
  entities: number;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 1,
    description: 'Number of observations in the preceding period of the same length.',
  })
  previous_count: number;
  @ApiProperty({ type: Number, example: 2, description: 'Difference between the two counts.' })
  change: number;
}

/** Summary of the matches. */
export class QuerySummaryDto {
  @ApiProperty({
    enum: ['extractive', 'llm'],
    description: '`extractive` quotes the matches; `llm` was written by the language model.',
  })
  method: string;
  @ApiProperty({ type: String, example: 'Three replies in the last week.', description: 'The summary as one text.' })
  text: string;
  @ApiProperty({ type: [QueryBulletDto], description: 'Statements of the summary, each with its evidence.' })
  bullets: QueryBulletDto[];
  @ApiProperty({
    type: [PeriodChangeDto],
    nullable: true,
    description: 'Comparison with the preceding period. Null without a start.',
  })
  period_change: PeriodChangeDto[] | null;
  @ApiPropertyOptional({
    type: String,
    description: 'Why the language model was not used. Omitted if it was, or is not configured.',
  })
  llm_error?: string;
}

/** Size and times of a result. */
export class QueryMetaDto {
  @ApiProperty({ type: 'integer', minimum: 0, example: 120, description: 'Estimated number of tokens of `items`.' })
  token_estimate: number;
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'Number of observations that a question or `facts` was evaluated on.',
  })
  looked_at?: number;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time for which the facts hold, ISO 8601.' })
  as_of: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Recording time up to which observations were used, ISO 8601.',
  })
  known_at: string;
}
