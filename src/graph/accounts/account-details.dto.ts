import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** The company of an entity. */
export class AccountCompanyDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'ID of the company.' })
  id: string;
  @ApiProperty({ type: String, example: 'Acme', nullable: true, description: 'Display name. Null if unknown.' })
  name: string | null;
  @ApiProperty({ type: String, example: 'acme.com', nullable: true, description: 'Primary domain. Null if unknown.' })
  domain: string | null;
}

/** An entity without its claims. */
export class AccountEntityDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the entity.' })
  id: string;
  @ApiProperty({ enum: ['person', 'company'], description: 'Whether the entity is a person or a company.' })
  type: string;
  @ApiProperty({ type: String, example: 'Ada Lovelace', nullable: true, description: 'Display name. Null if unknown.' })
  name: string | null;
  @ApiProperty({
    type: AccountCompanyDto,
    nullable: true,
    description: 'Company of the person. Null for companies, and if unknown.',
  })
  company: AccountCompanyDto | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of the first activity, ISO 8601. Null if there was none.',
  })
  first_activity_at: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of the latest activity, ISO 8601. Null if there was none.',
  })
  last_activity_at: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of the latest activity by the contact, ISO 8601. Null if there was none.',
  })
  last_inbound_activity_at: string | null;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time at which the entity was created, ISO 8601.' })
  created_at: string;
  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    description: 'IDs of entities that were merged into this one and resolve to it.',
  })
  merged_ids: string[];
}

/** An identifier of an entity. */
export class AccountIdentifierDto {
  @ApiProperty({
    enum: ['email', 'domain', 'linkedin', 'phone', 'external'],
    description: 'Kind of identifier, such as `email`. The value of `external` is `<system>:<id>`.',
  })
  kind: string;
  @ApiProperty({ type: String, example: 'ada@acme.com', description: 'Identifier as it was last stated.' })
  value: string;
  @ApiProperty({ type: String, example: 'ada@acme.com', description: 'Normalised identifier, which lookups compare.' })
  key: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Time at which the identifier was first stated, ISO 8601.',
  })
  first_seen: string;
  @ApiPropertyOptional({
    type: Boolean,
    description: 'True for role mailboxes such as `info@`, which several people read; omitted otherwise.',
  })
  shared_mailbox?: boolean;
  @ApiProperty({ type: Boolean, description: 'Whether another entity also claims this identifier.' })
  disputed: boolean;
  @ApiPropertyOptional({
    type: String,
    example: 'bounced',
    description:
      'Status of this e-mail address, such as `valid`, `bounced` or `unsubscribed`. Omitted if nothing is known about ' +
      'it, and for other kinds. The claim `email_status` is the status of the current address.',
  })
  status?: string;
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Time of the latest statement about the status of this address, ISO 8601. Omitted without a status.',
  })
  status_at?: string;
}

/** An observation in a timeline. */
export class TimelineItemDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the observation.' })
  id: string;
  @ApiProperty({ type: String, format: 'uuid', description: 'Entity that the observation was recorded for.' })
  entity_id: string;
  @ApiProperty({ enum: ['event', 'state'], description: '`event` for something that happened, `state` for a fact.' })
  kind: string;
  @ApiProperty({ type: String, example: 'interaction.email_replied', description: 'Property of the observation.' })
  property: string;
  @ApiProperty({
    type: String,
    example: 'email_replied',
    description: 'Property without the namespace `interaction.`.',
  })
  type: string;
  @ApiProperty({
    example: 'VP Sales',
    nullable: true,
    description: 'Value of the observation, any JSON. Null if a fact ended.',
  })
  value: unknown | null;
  @ApiProperty({ type: String, example: 'agent', description: 'System or person that provided the observation.' })
  source: string;
  @ApiProperty({ type: String, example: 'api', description: 'How the observation was captured.' })
  method: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Time at which it happened or was observed, ISO 8601.',
  })
  observed_at: string;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time at which it was recorded, ISO 8601.' })
  recorded_at: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Time that orders the timeline, ISO 8601: the start of a meeting, else `observed_at`.',
  })
  when: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Deduplication key from the source system. Null if none was sent.',
  })
  external_id: string | null;
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'Only in the timeline of a company: the person whose event it is.',
  })
  person_id?: string;
}

/** One of the most relevant events. */
export class KeyActivityDto {
  @ApiProperty({ type: String, example: 'email replied', description: 'Type of the event in words.' })
  what: string;
  @ApiProperty({ type: String, example: 'email', description: 'Display name of the source.' })
  source: string;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time of the event, ISO 8601.' })
  when: string;
  @ApiProperty({ type: String, nullable: true, description: 'Summary of its content. Null if it has none.' })
  detail: string | null;
}

/** Counts over a timeline. */
export class ActivitySummaryDto {
  @ApiProperty({ type: 'integer', minimum: 0, example: 12, description: 'Number of observations in the timeline.' })
  total_observations: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { email_replied: 2 },
    description: 'Number of observations per type.',
  })
  by_type: Record<string, number>;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of the first observation, ISO 8601. Null if there is none.',
  })
  first_seen: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of the latest observation, ISO 8601. Null if there is none.',
  })
  last_seen: string | null;
}

/** A person of the company. */
export class StakeholderDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the person.' })
  entity_id: string;
  @ApiProperty({ type: String, example: 'Grace Hopper', nullable: true, description: 'Full name. Null if unknown.' })
  name: string | null;
  @ApiProperty({ type: String, example: 'CFO', nullable: true, description: 'Job title. Null if unknown.' })
  role: string | null;
  @ApiPropertyOptional({
    type: String,
    example: 'decision_maker',
    description: 'Role in the purchase, as stated or inferred from the title. Omitted if unknown.',
  })
  committee_role?: string;
  @ApiProperty({ type: Boolean, description: 'Whether the person has contacted us.' })
  engaged: boolean;
  @ApiProperty({ type: Boolean, description: 'Whether `committee_role` was stated rather than inferred.' })
  confirmed: boolean;
  @ApiProperty({
    type: [String],
    maxItems: 0,
    description: 'Reserved for relationships between people; always empty at present.',
  })
  relationships: string[];
}

/** The buying committee of a company. */
export class CommitteeDto {
  @ApiProperty({ type: String, example: 'Acme', nullable: true, description: 'Name of the company. Null if unknown.' })
  company: string | null;
  @ApiProperty({ type: 'integer', minimum: 0, example: 3, description: 'Number of known people.' })
  size: number;
  @ApiProperty({ type: 'integer', minimum: 0, example: 1, description: 'Number of people who have contacted us.' })
  engaged: number;
  @ApiProperty({ type: Boolean, description: 'Whether exactly one person has contacted us.' })
  single_threaded: boolean;
  @ApiProperty({ type: Boolean, description: 'Whether a decision maker has contacted us.' })
  has_engaged_decision_maker: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'Name of the stated champion. Null if there is none.' })
  champion: string | null;
  @ApiProperty({ type: [String], description: 'What the committee lacks, as sentences.' })
  gaps: string[];
}

/** An earlier score. */
export class ScoreHistoryDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    nullable: true,
    description: 'Fit score, 0 to 100. Null if it was unknown.',
  })
  score: number | null;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time at which the score was computed, ISO 8601.' })
  scored_at: string;
}
