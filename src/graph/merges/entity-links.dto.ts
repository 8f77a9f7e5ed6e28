import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import { OptionalField, ToInt } from '#kernel/http/validation.decorators.js';

/** Maximum number of proposals on a page. */
export const MAX_PROPOSAL_PAGE = 200;

/** A decision about two entities. */
export class EntityLinkDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the decision.' })
  id: string;
  @ApiProperty({ enum: ['same_as', 'not_same'], description: 'Whether the two are the same entity or different ones.' })
  kind: string;
  @ApiProperty({ type: String, format: 'uuid', description: 'First entity of the decision.' })
  a: string;
  @ApiProperty({ type: String, format: 'uuid', description: 'Second entity of the decision.' })
  b: string;
  @ApiProperty({ type: String, example: 'agent', description: 'System or person that decided.' })
  source: string;
  @ApiProperty({ type: String, nullable: true, description: 'Reason for the decision. Null if none was given.' })
  reason: string | null;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time of the decision, ISO 8601.' })
  created_at: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which the decision was retracted, ISO 8601. Null while it is in effect.',
  })
  retracted_at: string | null;
}

/** A comparison of two entities by one property. */
export class LikenessPartDto {
  @ApiProperty({
    enum: ['name', 'email', 'phone', 'linkedin', 'employer', 'domain'],
    description: 'Property that was compared.',
  })
  field: string;
  @ApiProperty({ type: String, example: 'same', description: 'How the two agree or differ in it.' })
  agreement: string;
  @ApiProperty({
    type: Number,
    example: 10.55,
    description: 'Weight in bits: positive speaks for the same entity, negative against it.',
  })
  weight: number;
}

/** A proposed merge that awaits a decision. */
export class MergeProposalDto {
  @ApiProperty({
    type: String,
    example: 'ada@acme.com',
    description: 'Normalised identifier that both entities claim; of a likeness, the ID of the other entity.',
  })
  key: string;
  @ApiProperty({
    enum: ['email', 'domain', 'linkedin', 'phone', 'external', 'likeness'],
    description: 'Kind of identifier, such as `email`; `likeness` if the two are like each other.',
  })
  kind: string;
  @ApiProperty({ type: String, format: 'uuid', description: 'Entity that states the identifier.' })
  entity_id: string;
  @ApiProperty({
    type: String,
    example: 'ada@acme.com',
    description: 'Identifier as it was stated; of a likeness, what the two agree and differ in.',
  })
  value: string;
  @ApiProperty({ type: String, format: 'uuid', description: 'Entity that owns the identifier.' })
  other_entity_id: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Ada Lovelace',
    description: 'Name of the entity that states the identifier. Null if nobody has stated one.',
  })
  entity_name: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Ada L.',
    description: 'Name of the other entity. Null if nobody has stated one.',
  })
  other_entity_name: string | null;
  @ApiProperty({
    type: 'array',
    items: {
      type: 'string',
      enum: [
        'weak_source',
        'shared_mailbox',
        'not_same',
        'different_type',
        'different_linkedin',
        'different_work_email',
        'different_name',
        'shared_address',
      ],
    },
    description:
      'Reasons why the two were not merged automatically. `shared_address`: people of two full names use one address. ' +
      'Empty for a likeness, which never merges automatically.',
  })
  guards: string[];
  @ApiProperty({
    type: Number,
    nullable: true,
    example: 0.98,
    description: 'Probability that the two are the same, 0 to 1. Null for an identifier.',
  })
  score: number | null;
  @ApiProperty({
    type: [LikenessPartDto],
    nullable: true,
    description: 'Comparisons that the score is made of. Null for an identifier.',
  })
  parts: LikenessPartDto[] | null;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time of the proposal, ISO 8601.' })
  created_at: string;
}

/** Query of GET /v2/entities/proposals. */
export class ProposalsQuery {
  @ApiPropertyOptional({
    type: 'integer',
    default: 50,
    minimum: 1,
    maximum: MAX_PROPOSAL_PAGE,
    description: `Maximum number of proposals on a page. Values above ${MAX_PROPOSAL_PAGE} are treated as ${MAX_PROPOSAL_PAGE}.`,
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page.', maxLength: 1000 })
  @OptionalField()
  @IsString()
  @MaxLength(1000)
  cursor?: string;
}

/** A page of open merge proposals. */
export class ProposalPage {
  @ApiProperty({
    type: [MergeProposalDto],
    description: 'Open proposals on this page, newest first.',
    maxItems: MAX_PROPOSAL_PAGE,
  })
  proposals: MergeProposalDto[];

  @ApiProperty({ type: 'integer', description: 'Maximum number of proposals on a page.', example: 50 })
  limit: number;

  @ApiProperty({ description: 'Whether older proposals are open.', example: false })
  has_more: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cursor of the next page; null on the last page.',
    example: null,
  })
  next_cursor: string | null;
}
