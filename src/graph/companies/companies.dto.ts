import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { EpistemicsDto, ListPage, PersonClaimDto } from '../people/people.dto.js';

const uuid = { format: 'uuid', example: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e22' } as const;
const text = (example: string, description: string) =>
  ({ type: String, nullable: true, example, description }) as const;
const time = { type: String, format: 'date-time', nullable: true, example: '2026-11-20T09:30:00.000000Z' } as const;

/** A company as lists show it. */
@ApiExtraModels(EpistemicsDto, PersonClaimDto)
export class Company {
  @ApiProperty({ ...uuid, description: 'Unique identifier of the company; the same as `entity_id`.' }) id: string;
  @ApiProperty({ ...uuid, description: 'Unique identifier of the company in the graph.' }) entity_id: string;
  @ApiProperty(text('Acme', 'Name of the company. Null if unknown.')) name: string | null;
  @ApiProperty(text('acme.com', 'Primary domain of the company. Null if unknown.')) domain: string | null;
  @ApiProperty(text('https://www.linkedin.com/company/acme', 'URL of the LinkedIn page. Null if unknown.'))
  linkedin_url: string | null;
  @ApiProperty(text('software', 'Industry of the company. Null if unknown.')) industry: string | null;
  @ApiProperty({
    nullable: true,
    example: 120,
    description: 'Headcount as it was stated: a number or a range. Null if unknown.',
  })
  company_size: unknown;
  @ApiProperty(text('Berlin', 'City of the head office. Null if unknown.')) city: string | null;
  @ApiProperty(text('Germany', 'Country of the head office. Null if unknown.')) country: string | null;
  @ApiProperty(text('+49 30 123456', 'Phone number. Null if unknown.')) phone: string | null;
  @ApiProperty(text('evaluating', 'Pipeline stage, such as `evaluating`. Null if unknown.')) stage: string | null;
  @ApiProperty(text('webinar', 'Where the company was acquired, such as `webinar`. Null if unknown.')) source:
    | string
    | null;
  @ApiProperty(text('customer', 'Claimed status, such as `customer`. Null if unknown.')) status: string | null;
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
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of people of the company.', example: 3 })
  people_count: number;
  @ApiProperty({ ...time, nullable: false, description: 'Time at which the company was first seen, ISO 8601.' })
  first_seen_at: string;
  @ApiProperty({
    ...time,
    description:
      'Time of the latest interaction with the company or one of its people, ISO 8601. With `as_of`, of the company ' +
      'alone. Null if there was none.',
  })
  last_activity_at: string | null;
  @ApiProperty(text('2026-11-01', 'Time at which the company was last enriched. Null if never.')) enriched_at:
    | string
    | null;
  @ApiProperty({ ...time, nullable: false, description: 'Time at which the company was created, ISO 8601.' })
  created_at: string;
  @ApiProperty({ ...time, nullable: false, description: 'Time at which the company last changed, ISO 8601.' })
  updated_at: string;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(PersonClaimDto) },
    description: 'All claims of the company by property. Only with `include=claims`.',
  })
  claims?: Record<string, PersonClaimDto>;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(EpistemicsDto) },
    description: 'Confidence and freshness of each field of the row. Only with `include=epistemics`.',
  })
  epistemics?: Record<string, EpistemicsDto>;
}

/** Response of GET /v2/companies. */
export class CompanyPage extends ListPage {
  @ApiProperty({ description: 'Companies on this page.', type: [Company], maxItems: 1000 }) companies: Company[];
}

/** Response of GET /v2/companies/:id. */
export class CompanyDetails {
  @ApiProperty({ type: Company, description: 'The company, with the same fields as in lists.' }) company: Company;
}
