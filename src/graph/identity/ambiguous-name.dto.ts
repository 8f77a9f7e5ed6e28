import { ApiProperty } from '@nestjs/swagger';

/** An entity that an ambiguous name may mean. */
export class EntityCandidateDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'ID of the candidate. Send it instead of the name.' })
  entity_id: string;
  @ApiProperty({ enum: ['person', 'company'], description: 'Whether the candidate is a person or a company.' })
  type: string;
  @ApiProperty({ type: String, example: 'Ada Lovelace', description: 'Display name of the candidate.' })
  name: string;
  @ApiProperty({ type: String, example: 'VP Sales', nullable: true, description: 'Job title. Null if unknown.' })
  title: string | null;
  @ApiProperty({
    type: String,
    example: 'Acme',
    nullable: true,
    description: 'Company that the person belongs to. Null if unknown.',
  })
  company: string | null;
  @ApiProperty({
    type: String,
    example: 'ada@acme.com',
    nullable: true,
    description: 'Primary e-mail address. Null if unknown.',
  })
  email: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Domain of the company. Null if unknown.' })
  domain: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'LinkedIn profile. Null if unknown.' })
  linkedin_url: string | null;
  @ApiProperty({ type: Number, nullable: true, description: 'Reserved for a match score; always null at present.' })
  score: number | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of the latest activity, ISO 8601. Null if there was none.',
  })
  last_activity_at: string | null;
  @ApiProperty({
    type: String,
    example: 'VP Sales at Acme',
    description: 'Short description that tells the candidates apart.',
  })
  detail: string;
  @ApiProperty({ enum: ['exact'], description: 'How the name matched: `exact`, ignoring case and spelling variants.' })
  matched_on: string;
}

/** Response to a name that matches several entities. */
export class AmbiguousNameDto {
  @ApiProperty({ enum: ['ambiguous'], description: 'Always `ambiguous`: the name matches more than one entity.' })
  status: string;
  @ApiProperty({ type: String, example: 'Ada', description: 'Name that was looked up.' })
  query: string;
  @ApiProperty({ type: 'integer', minimum: 0, example: 2, description: 'Number of entities that match the name.' })
  count: number;
  @ApiProperty({
    type: [EntityCandidateDto],
    maxItems: 10,
    description: 'Matching entities, the most recently active first, at most 10.',
  })
  candidates: EntityCandidateDto[];
}
