import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AccountCompanyDto } from '../accounts/account-details.dto.js';

/** The subject of a context. */
export class ContextEntityDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the entity.' })
  id: string;
  @ApiProperty({ enum: ['person', 'company'], description: 'Whether the subject is a person or a company.' })
  type: string;
  @ApiProperty({ type: String, example: 'Ada Lovelace', nullable: true, description: 'Display name. Null if unknown.' })
  name: string | null;
  @ApiProperty({
    type: AccountCompanyDto,
    nullable: true,
    description: 'Company of the person. Null for companies, and if unknown.',
  })
  company: AccountCompanyDto | null;
}

/** Rank and reference of an item. */
export class ContextItemMetaDto {
  @ApiProperty({
    type: String,
    example: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17',
    description: 'Reference of the item, as used in `text`, `items` and `safe_to_use`.',
  })
  ref_id: string;
  @ApiProperty({
    type: Number,
    minimum: 0,
    maximum: 1,
    example: 0.82,
    description: 'Rank of the item, 0 to 1; 1 for pinned items.',
  })
  score: number;
  @ApiPropertyOptional({
    type: String,
    description: 'Why the item must not be relied on without verification. Omitted if it can be.',
  })
  caution?: string;
  @ApiPropertyOptional({ type: String, description: 'Why the item was selected. Only with `explain`.' })
  why?: string;
}

/** An observation behind a claim. */
export class ContextSourceDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'ID of the supporting observation.' })
  observation_id: string;
  @ApiProperty({ type: String, example: 'agent', description: 'System or person that provided it.' })
  source: string;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time of the observation, ISO 8601.' })
  observed_at: string;
}

/** An observation that contradicts a claim. */
export class ContextOpponentDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'ID of the contradicting observation.' })
  observation_id: string;
  @ApiProperty({ type: String, example: 'crm:hubspot', description: 'System or person that provided it.' })
  source: string;
  @ApiProperty({ example: 'CTO', nullable: true, description: 'Value that the source states, any JSON.' })
  value: unknown | null;
}

/** A selected claim. */
export class ContextClaimDto extends ContextItemMetaDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Entity that the claim is about.' })
  entity_id: string;
  @ApiProperty({ type: String, example: 'title', description: 'Name of the property.' })
  property: string;
  @ApiProperty({
    example: 'VP Sales',
    nullable: true,
    description: 'Current value, any JSON. Null if the fact has ended.',
  })
  value: unknown | null;
  @ApiProperty({ enum: ['current', 'ended'], description: 'Whether the fact still holds.' })
  status: string;
  @ApiProperty({
    type: Number,
    minimum: 0,
    maximum: 1,
    example: 0.75,
    description: 'Probability that the value is right, 0 to 0.99.',
  })
  confidence: number;
  @ApiProperty({
    enum: ['fresh', 'aging', 'suspect', 'expired'],
    description: 'Age of the claim relative to how quickly such facts change.',
  })
  freshness: string;
  @ApiProperty({
    type: Number,
    minimum: 0,
    maximum: 1,
    example: 0.99,
    description: 'Probability that the fact has not changed since it was last observed, 0 to 1.',
  })
  freshness_score: number;
  @ApiProperty({
    type: String,
    example: 'asserted',
    description: 'Basis of the claim, such as `asserted` or `contested`.',
  })
  epistemic_class: string;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time since which the value holds, ISO 8601.' })
  valid_from: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which the fact ended, ISO 8601. Null while it holds.',
  })
  valid_to: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Time of the newest supporting observation, ISO 8601.',
  })
  last_observed_at: string;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 2,
    description: 'Number of observations that support the claim.',
  })
  observation_count: number;
  @ApiProperty({ type: [ContextSourceDto], maxItems: 3, description: 'Strongest supporting observations, at most 3.' })
  sources: ContextSourceDto[];
  @ApiPropertyOptional({
    type: [ContextOpponentDto],
    description: 'Contradicting observations. Only for contested claims.',
  })
  opposing?: ContextOpponentDto[];
}

/** A fact of the workspace's own profile. */
export class ContextWorkspaceFactDto extends ContextItemMetaDto {
  @ApiProperty({ type: String, example: 'pricing', description: 'Section of the profile that the fact comes from.' })
  property: string;
  @ApiProperty({ type: String, example: 'From 40 EUR per seat.', description: 'Content of the fact as text.' })
  value: string;
}

/** A selected event. */
export class ContextEventDto extends ContextItemMetaDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Entity that the event belongs to.' })
  entity_id: string;
  @ApiProperty({ type: String, example: '2026-11-20T09:30:00.000000Z', description: 'Time of the event, ISO 8601.' })
  when: string;
  @ApiProperty({ type: String, example: 'email_replied', description: 'Type of the event.' })
  type: string;
  @ApiProperty({ type: String, example: 'email', description: 'System or person that provided the event.' })
  source: string;
  @ApiProperty({
    enum: ['full', 'brief'],
    description: '`full` for events of the last 7 days, `brief` for older ones.',
  })
  tier: string;
  @ApiProperty({ type: String, nullable: true, description: 'Content of the event in one line. Null if it has none.' })
  summary: string | null;
}

/** The number of older events of a type. */
export class ContextEventCountDto {
  @ApiProperty({ type: String, example: '', description: 'Always empty: the events have different times.' })
  when: string;
  @ApiProperty({ type: String, example: 'email_sent', description: 'Type of the events.' })
  type: string;
  @ApiProperty({ enum: ['count'], description: 'Always `count`: older events are only counted.' })
  tier: string;
  @ApiProperty({ type: 'integer', minimum: 0, example: 7, description: 'Number of events of this type.' })
  count: number;
}

/** A signal or single note as a sentence. */
export class ContextFactDto extends ContextItemMetaDto {
  @ApiProperty({ type: String, example: 'signal.hiring', description: 'Property that the sentence comes from.' })
  category: string;
  @ApiProperty({ type: String, example: 'Hires three account executives', description: 'The fact as a sentence.' })
  content: string;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time at which the fact was observed, ISO 8601.' })
  date: string;
}

/** A note with its relevant passage. */
export class ContextDocumentDto extends ContextItemMetaDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Contact or company that the note belongs to.' })
  entity_id: string;
  @ApiProperty({ type: String, example: 'transcript', description: 'Kind of document, such as `transcript`.' })
  type: string;
  @ApiProperty({ type: String, example: 'Pricing call', description: 'Title of the document.' })
  title: string;
  @ApiProperty({ type: String, format: 'date', description: 'Date of the document.' })
  date: string;
  @ApiProperty({ type: String, example: 'agent', description: 'System or person that provided the note.' })
  source: string;
  @ApiProperty({ type: String, example: 'Ada asked about yearly billing.', description: 'Passage that fits the task.' })
  snippet: string;
}

/** A selected item in the order of rank. */
export class ContextItemRefDto {
  @ApiProperty({ type: String, example: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17', description: 'Reference of the item.' })
  ref_id: string;
  @ApiProperty({ enum: ['claim', 'event', 'note', 'workspace_fact'], description: 'Group that contains the item.' })
  kind: string;
  @ApiProperty({ type: Number, minimum: 0, maximum: 1, example: 0.82, description: 'Rank of the item, 0 to 1.' })
  score: number;
}

/** Size and times of a context. */
export class ContextMetaDto {
  @ApiProperty({ type: 'integer', minimum: 0, example: 640, description: 'Estimated number of tokens of `text`.' })
  token_estimate: number;
  @ApiProperty({ type: 'integer', minimum: 0, example: 1500, description: 'Token budget that was applied.' })
  budget: number;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 0,
    description: 'Number of items that did not fit into the budget.',
  })
  truncated: number;
  @ApiProperty({ type: 'integer', minimum: 0, example: 14, description: 'Number of claims about the subject.' })
  claims_total: number;
  @ApiProperty({ type: 'integer', minimum: 0, example: 9, description: 'Number of claims in this response.' })
  claims_returned: number;
  @ApiProperty({ type: 'integer', minimum: 0, example: 5, description: 'Number of events that were considered.' })
  timeline_events: number;
  @ApiProperty({ enum: ['lexical'], description: 'How similarity to the task was computed.' })
  engine: string;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time for which the facts hold, ISO 8601.' })
  as_of: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Recording time up to which observations were used, ISO 8601.',
  })
  known_at: string;
}
