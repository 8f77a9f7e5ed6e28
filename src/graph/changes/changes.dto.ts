import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import { NotBlank, OptionalField, ToInt } from '#kernel/http/validation.decorators.js';
import { MAX_NOTICE_ENTITIES } from './change-feed.service.js';
import { CHANGE_KINDS } from './changes.presenter.js';
import { DEFAULT_CHANGES, MAX_CHANGES } from './changes-request.js';

const MAX_LIST_LENGTH = 10_000;
const ENTITY = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const OTHER_ENTITY = '01941f60-1c55-7a10-8a1b-9b6f0c2d4e11';
const CURSOR = 'OTQzMTE4NDQ5MDU5MDIwODAxLjAxOTQxZjVl';

/** The query of GET /v2/changes. */
export class ChangesQuery {
  @ApiPropertyOptional({
    description:
      '`next_cursor` of the previous page. `latest` returns no changes, but the cursor after all that there are. ' +
      'Without it, the list begins with the oldest change.',
    maxLength: 200,
  })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(200)
  after?: string;

  @ApiPropertyOptional({
    description: `Only these kinds, separated by commas: ${CHANGE_KINDS.join(', ')}. Default: all.`,
    maxLength: 200,
  })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  kinds?: string;

  @ApiPropertyOptional({
    description: 'Only changes of these types of entities, separated by commas: `person`, `company`. Default: both.',
    maxLength: 200,
  })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  types?: string;

  @ApiPropertyOptional({
    description:
      'Only claims and events of these properties, separated by commas: `title,stage,interaction.meeting_held`. ' +
      'Merges and erasures are listed all the same. Default: all.',
    maxLength: MAX_LIST_LENGTH,
  })
  @OptionalField()
  @IsString()
  @MaxLength(MAX_LIST_LENGTH)
  properties?: string;

  @ApiPropertyOptional({
    description:
      'Leaves out what these sources stated, and claims that they state already, so that a sync does not receive ' +
      'its own writes. Separated by commas; `crm` stands for every source that begins with `crm:`.',
    maxLength: MAX_LIST_LENGTH,
  })
  @OptionalField()
  @IsString()
  @MaxLength(MAX_LIST_LENGTH)
  not_from?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: DEFAULT_CHANGES,
    minimum: 1,
    maximum: MAX_CHANGES,
    description: `Maximum number of changes on a page. Values above ${MAX_CHANGES} are treated as ${MAX_CHANGES}.`,
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;
}

/** The ID of an entity in another system. */
export class ExternalIdDto {
  @ApiProperty({ description: 'Name of the system in lower case.', example: 'hubspot' }) system: string;
  @ApiProperty({ description: 'ID of the entity in that system.', example: '501' }) id: string;
}

/** What every change has. */
class ChangedEntityDto {
  @ApiProperty({
    description: 'The entity as it is known now: one that was merged away has the ID of the other one.',
    format: 'uuid',
    example: ENTITY,
  })
  entity_id: string;
  @ApiProperty({ description: 'Whether the entity is a person or a company.', enum: ['person', 'company'] })
  type: string;
  @ApiProperty({ type: [ExternalIdDto], description: 'IDs that the entity has in other systems, the oldest first.' })
  external_ids: ExternalIdDto[];
  @ApiProperty({
    description: 'Time of the change, ISO 8601.',
    format: 'date-time',
    example: '2026-11-20T09:30:00.000000Z',
  })
  at: string;
}

/** A claim about which something new was stated. */
export class ClaimChangeDto extends ChangedEntityDto {
  @ApiProperty({ enum: ['claim'], description: 'Something was stated about a property of the entity.' }) kind: 'claim';
  @ApiProperty({ description: 'Name of the property.', example: 'title' }) property: string;
  @ApiProperty({
    description: 'Current value, any JSON, also if it did not change. Null if the fact has ended.',
    nullable: true,
    example: 'VP Sales',
  })
  value: unknown;
  @ApiProperty({ description: 'Probability that the value is right, 0 to 0.99.', example: 0.75 }) confidence: number;
  @ApiProperty({
    description: 'Age of the newest support relative to how quickly such facts change.',
    enum: ['fresh', 'aging', 'suspect', 'expired'],
  })
  freshness: string;
  @ApiProperty({
    description: 'Basis of the claim: who states it, and whether sources agree.',
    enum: ['asserted', 'observed', 'reported', 'inferred', 'corroborated', 'contested', 'ended'],
  })
  epistemic_class: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'System or person with the strongest support of the value.',
    example: 'crm:hubspot',
  })
  source: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'How that source captured it.', example: 'sync' })
  method: string | null;
  @ApiProperty({ description: 'Time of the newest support, ISO 8601.', format: 'date-time' }) observed_at: string;
}

/** An event that was recorded. */
export class EventChangeDto extends ChangedEntityDto {
  @ApiProperty({ enum: ['event'], description: 'Something happened: an event was recorded.' }) kind: 'event';
  @ApiProperty({ description: 'ID of the observation.', format: 'uuid' }) observation_id: string;
  @ApiProperty({ description: 'Name of the event.', example: 'interaction.email_replied' }) property: string;
  @ApiProperty({
    description: 'Details of the event, any JSON.',
    nullable: true,
    example: { description: 'Asked for the price of the renewal' },
  })
  value: unknown;
  @ApiProperty({ description: 'System or person that provided the observation.', example: 'agent' }) source: string;
  @ApiProperty({ description: 'How the observation was captured.', example: 'api' }) method: string;
  @ApiProperty({ description: 'Time of the event, ISO 8601.', format: 'date-time' }) observed_at: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ID of the event at its source; null without one.',
    example: 'msg-8842',
  })
  external_id: string | null;
}

/** Two entities that were merged, or separated again. */
export class MergeChangeDto extends ChangedEntityDto {
  @ApiProperty({
    enum: ['merge', 'unmerge'],
    description:
      '`merge`: two entities became one. `unmerge`: they are two again. Their claims may have changed: read the account.',
  })
  kind: 'merge' | 'unmerge';
  @ApiProperty({
    description: 'ID of the other entity: the one that was merged away, or the one that is separate again.',
    format: 'uuid',
    example: OTHER_ENTITY,
  })
  other_entity_id: string;
  @ApiProperty({ description: 'System or person that merged the two.', example: 'identifiers' }) source: string;
}

/** An observation that was withdrawn. */
export class RetractionChangeDto extends ChangedEntityDto {
  @ApiProperty({ description: 'Something that was stated was withdrawn.', enum: ['retraction'] })
  kind: 'retraction';
  @ApiProperty({ description: 'ID of the retracted observation.', format: 'uuid' })
  observation_id: string;
  @ApiProperty({ description: 'Property that was stated, or name of the event.', example: 'title' })
  property: string;
  @ApiProperty({ description: 'Source that had stated it.', example: 'csv:9f86d081884c7d65' })
  source: string;
}

/** A person was erased. */
export class ErasureChangeDto extends ChangedEntityDto {
  @ApiProperty({
    enum: ['erasure'],
    description: 'The person was erased: delete what you stored about them.',
  })
  kind: 'erasure';
  @ApiProperty({ type: [String], description: 'All IDs that the person had.', example: [ENTITY] }) erased_ids: string[];
}

const CHANGE_CLASSES = [ClaimChangeDto, EventChangeDto, RetractionChangeDto, MergeChangeDto, ErasureChangeDto] as const;

/** Response of GET /v2/changes. */
@ApiExtraModels(...CHANGE_CLASSES)
export class ChangesResult {
  @ApiProperty({
    type: 'array',
    items: { oneOf: CHANGE_CLASSES.map(each => ({ $ref: getSchemaPath(each) })) },
    maxItems: MAX_CHANGES,
    description: 'Changes in the order in which they were committed.',
  })
  changes: (ClaimChangeDto | EventChangeDto | RetractionChangeDto | MergeChangeDto | ErasureChangeDto)[];
  @ApiProperty({ type: 'integer', description: 'Maximum number of changes on a page.', example: DEFAULT_CHANGES })
  limit: number;
  @ApiProperty({
    description: 'Whether more changes follow. A page can be short or empty although it is true.',
    example: false,
  })
  has_more: boolean;
  @ApiProperty({
    description: 'The value of `after` for the next page, also if there are no more changes yet. It does not expire.',
    example: CURSOR,
  })
  next_cursor: string;
}

/** The query of GET /v2/changes/stream. */
export class ChangeStreamQuery {
  @ApiPropertyOptional({
    description: '`cursor` of the last notice, behind which to begin. Default: what changes from now on.',
    maxLength: 200,
  })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(200)
  after?: string;
}

/** An entity that a notice names. */
export class ChangedEntity {
  @ApiProperty({ description: 'Type of the entity.', enum: ['person', 'company'], example: 'person' })
  type: string;

  @ApiProperty({ description: 'Unique identifier of the entity.', format: 'uuid', example: ENTITY })
  id: string;
}

/** What changed in the workspace since the notice before. */
export class ChangeNoticeDto {
  @ApiProperty({
    description: 'Cursor behind these changes; `GET /v2/changes` takes it as `after`.',
    maxLength: 200,
    example: CURSOR,
  })
  cursor: string;

  @ApiProperty({ description: 'Kinds of the changes.', enum: CHANGE_KINDS, isArray: true, example: ['claim'] })
  kinds: readonly string[];

  @ApiProperty({
    description: `Entities that changed, at most ${MAX_NOTICE_ENTITIES}.`,
    type: [ChangedEntity],
  })
  entities: readonly ChangedEntity[];

  @ApiProperty({ description: 'Whether more entities changed than are listed.', example: false })
  has_more: boolean;
}
