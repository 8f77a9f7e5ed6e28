import { ApiProperty } from '@nestjs/swagger';

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

/** A proposed merge that awaits a decision. */
export class MergeProposalDto {
  @ApiProperty({
    type: String,
    example: 'ada@acme.com',
    description: 'Normalised identifier that both entities claim.',
  })
  key: string;
  @ApiProperty({
    enum: ['email', 'domain', 'linkedin', 'linkedin_member_id', 'hubspot', 'pipedrive', 'apollo', 'attio'],
    description: 'Kind of identifier, such as `email`.',
  })
  kind: string;
  @ApiProperty({ type: String, format: 'uuid', description: 'Entity that states the identifier.' })
  entity_id: string;
  @ApiProperty({ type: String, example: 'ada@acme.com', description: 'Identifier as it was stated.' })
  value: string;
  @ApiProperty({ type: String, format: 'uuid', description: 'Entity that owns the identifier.' })
  other_entity_id: string;
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
      ],
    },
    description: 'Reasons why the two were not merged automatically.',
  })
  guards: string[];
  @ApiProperty({ type: String, format: 'date-time', description: 'Time of the proposal, ISO 8601.' })
  created_at: string;
}
