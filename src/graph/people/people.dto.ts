import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';

const uuid = { format: 'uuid', example: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11' } as const;
const text = (example: string, description?: string) =>
  ({ type: String, nullable: true, example, description }) as const;
const time = { type: String, format: 'date-time', nullable: true, example: '2026-11-20T09:30:00.000000Z' } as const;

/** The company of a person. */
export class PersonAccount {
  @ApiProperty({ ...uuid, description: 'Unique identifier of the company.' }) entity_id: string;
  @ApiProperty({ ...text('Acme'), description: 'Name of the company. Null if unknown.' }) name: string | null;
  @ApiProperty({ ...text('acme.com'), description: 'Primary domain of the company. Null if unknown.' }) domain:
    | string
    | null;
}

/** How far a claim can be relied on. */
export class EpistemicsDto {
  @ApiProperty({ description: 'Probability that the value is right, 0 to 0.99.', minimum: 0, maximum: 1 })
  confidence: number;
  @ApiProperty({
    description: 'Age of the claim relative to how quickly such facts change.',
    enum: ['fresh', 'aging', 'suspect', 'expired'],
  })
  freshness: string;
  @ApiProperty({ description: 'Basis of the claim, such as `asserted` or `contested`.', example: 'asserted' })
  epistemic_class: string;
  @ApiProperty({ description: 'Time of the newest supporting observation, ISO 8601.', format: 'date-time' })
  last_observed_at: string;
}

/** A claim of a row with its value. */
export class PersonClaimDto extends EpistemicsDto {
  @ApiProperty({
    description: 'Current value, any JSON. Null if the fact has ended.',
    nullable: true,
    example: 'VP Sales',
  })
  value: unknown;
}

/** A person as lists show them. */
@ApiExtraModels(EpistemicsDto, PersonClaimDto)
export class Person {
  @ApiProperty({ ...uuid, description: 'Unique identifier of the person; the same as `entity_id`.' }) id: string;
  @ApiProperty({ ...uuid, description: 'Unique identifier of the person in the graph.' }) entity_id: string;
  @ApiProperty({ ...text('Ada Lovelace'), description: 'Full name. Null if unknown.' }) name: string | null;
  @ApiProperty({ ...text('Ada'), description: 'First name. Null if unknown.' }) first_name: string | null;
  @ApiProperty({ ...text('Lovelace'), description: 'Last name. Null if unknown.' }) last_name: string | null;
  @ApiProperty({ ...text('ada@acme.com'), description: 'Primary e-mail address. Null if unknown.' }) email:
    | string
    | null;
  @ApiProperty({
    ...text('https://www.linkedin.com/in/ada'),
    description: 'URL of the LinkedIn profile. Null if unknown.',
  })
  linkedin_url: string | null;
  @ApiProperty({ ...text('VP Sales'), description: 'Job title. Null if unknown.' }) title: string | null;
  @ApiProperty({ ...text('VP Sales'), description: 'Alias of the field `title`.' }) job_title: string | null;
  @ApiProperty({ ...text('vp'), description: 'Seniority level, such as `vp` or `c_level`. Null if unknown.' })
  seniority: string | null;
  @ApiProperty({ ...text('Sales'), description: 'Department, such as Sales. Null if unknown.' }) department:
    | string
    | null;
  @ApiProperty({
    ...text('Acme'),
    description: 'Name of the company as claimed, as text. `account` is the company entity. Null if unknown.',
  })
  company: string | null;
  @ApiProperty({
    ...uuid,
    description: 'ID of the company entity. Null if the person belongs to none.',
    type: String,
    nullable: true,
  })
  company_id: string | null;
  @ApiProperty({
    description: 'Company entity that the person belongs to. Null if there is none.',
    type: PersonAccount,
    nullable: true,
  })
  account: PersonAccount | null;
  @ApiProperty({ ...text('acme.com'), description: 'Domain of the company. Null if unknown.' }) domain: string | null;
  @ApiProperty({ ...text('software'), description: 'Industry of the company. Null if unknown.' }) industry:
    | string
    | null;
  @ApiProperty({
    nullable: true,
    example: 120,
    description: 'Headcount of the company as it was stated: a number or a range. Null if unknown.',
  })
  company_size: unknown;
  @ApiProperty({ ...text('Berlin'), description: 'City of the person. Null if unknown.' }) city: string | null;
  @ApiProperty({ ...text('Germany'), description: 'Country of the person. Null if unknown.' }) country: string | null;
  @ApiProperty({ ...text('+49 30 123456'), description: 'Phone number. Null if unknown.' }) phone: string | null;
  @ApiProperty({ ...text('https://example.com/ada.png'), description: 'URL of a profile picture. Null if unknown.' })
  photo_url: string | null;
  @ApiProperty({ ...text('evaluating'), description: 'Pipeline stage, such as `evaluating`. Null if unknown.' }) stage:
    | string
    | null;
  @ApiProperty({ ...text('evaluating'), description: 'Alias of the field `stage`.' }) pipeline_stage: string | null;
  @ApiProperty({
    ...text('webinar'),
    description: 'Where the person was acquired, such as `webinar`. Null if unknown.',
  })
  source: string | null;
  @ApiProperty({ ...text('active'), description: 'Claimed contact status, such as `active`. Null if unknown.' })
  status: string | null;
  @ApiProperty({
    description: 'Fit with the ideal customer profile, 0 to 100. Null if not scored.',
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 100,
    example: 82,
  })
  icp_score: number | null;
  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Whether `icp_score` is at least 70. Null if not scored.',
    example: true,
  })
  icp_fit: boolean | null;
  @ApiProperty({
    ...time,
    description: 'Time of the first observation about the person, ISO 8601. Null if there is none.',
  })
  first_seen_at: string;
  @ApiProperty({ ...time, description: 'Time of the latest interaction, ISO 8601. Null if there was none.' })
  last_activity_at: string | null;
  @ApiProperty({ ...text('2026-11-01'), description: 'Time at which the person was last enriched. Null if never.' })
  enriched_at: string | null;
  @ApiProperty({ ...time, description: 'Time at which the person was created in the graph, ISO 8601.' })
  created_at: string;
  @ApiProperty({ ...time, description: 'Time at which the person last changed, ISO 8601.' }) updated_at: string;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(PersonClaimDto) },
    description: 'All claims of the person by property. Only with `include=claims`.',
  })
  claims?: Record<string, PersonClaimDto>;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(EpistemicsDto) },
    description: 'Confidence and freshness of each field of the row. Only with `include=epistemics`.',
  })
  epistemics?: Record<string, EpistemicsDto>;
}

/** What every list says beside its rows. */
export class ListPage {
  @ApiProperty({
    description: 'Maximum number of rows on a page.',
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    example: 100,
  })
  limit: number;
  @ApiPropertyOptional({
    description: 'Number of rows skipped. Omitted when a cursor is used.',
    type: 'integer',
    minimum: 0,
    maximum: 10000,
    example: 0,
  })
  offset?: number;
  @ApiProperty({ description: 'Whether another page exists.', example: false }) has_more: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 2000,
    description: 'Cursor of the next page. Null on the last page.',
  })
  next_cursor: string | null;
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'Number of matching rows. Only with `count=true` or `count=estimate`.',
    example: 1,
  })
  count?: number;
  @ApiPropertyOptional({
    enum: ['exact', 'at_least'],
    description: 'Whether there are exactly `count` rows, or at least as many. Only if they were counted.',
    example: 'exact',
  })
  count_is?: 'exact' | 'at_least';
}

/** Response of GET /v2/people. */
export class PersonPage extends ListPage {
  @ApiProperty({ description: 'People on this page.', type: [Person], maxItems: 1000 }) people: Person[];
}

/** Response of GET /v2/people/:id. */
export class PersonDetails {
  @ApiProperty({
    type: Person,
    description: 'The person, with the latest score in `icp` and the ten latest events in `recent_activity`.',
  })
  person: Person;
}
