import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const uuid = { format: 'uuid', example: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11' } as const;
const text = (example: string, description?: string) =>
  ({ type: String, nullable: true, example, description }) as const;
const time = { type: String, format: 'date-time', nullable: true, example: '2026-11-20T09:30:00.000000Z' } as const;

/** The company of a person. */
export class PersonAccount {
  @ApiProperty(uuid) entity_id: string;
  @ApiProperty(text('Acme')) name: string | null;
  @ApiProperty(text('acme.com')) domain: string | null;
}

/** A person as lists show them. */
export class Person {
  @ApiProperty(uuid) id: string;
  @ApiProperty(uuid) entity_id: string;
  @ApiProperty(text('Ada Lovelace')) name: string | null;
  @ApiProperty(text('Ada')) first_name: string | null;
  @ApiProperty(text('Lovelace')) last_name: string | null;
  @ApiProperty(text('ada@acme.com')) email: string | null;
  @ApiProperty(text('https://www.linkedin.com/in/ada')) linkedin_url: string | null;
  @ApiProperty(text('VP Sales')) title: string | null;
  @ApiProperty(text('VP Sales', 'The same as `title`.')) job_title: string | null;
  @ApiProperty(text('vp')) seniority: string | null;
  @ApiProperty(text('Sales')) department: string | null;
  @ApiProperty(text('Acme', 'The company as it is claimed; `account` is the entity.')) company: string | null;
  @ApiProperty({ ...uuid, type: String, nullable: true }) company_id: string | null;
  @ApiProperty({ type: PersonAccount, nullable: true }) account: PersonAccount | null;
  @ApiProperty(text('acme.com')) domain: string | null;
  @ApiProperty(text('software')) industry: string | null;
  @ApiProperty({ nullable: true, example: 120, description: 'The claim `headcount`, as it was stated.' })
  company_size: unknown;
  @ApiProperty(text('Berlin')) city: string | null;
  @ApiProperty(text('Germany')) country: string | null;
  @ApiProperty(text('+49 30 123456')) phone: string | null;
  @ApiProperty(text('https://example.com/ada.png')) photo_url: string | null;
  @ApiProperty(text('evaluating')) stage: string | null;
  @ApiProperty(text('evaluating', 'The same as `stage`.')) pipeline_stage: string | null;
  @ApiProperty(text('webinar')) source: string | null;
  @ApiProperty(text('active')) status: string | null;
  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 100, example: 82 }) icp_score: number | null;
  @ApiProperty({ type: Boolean, nullable: true, description: 'Whether the score is at least 70.', example: true })
  icp_fit: boolean | null;
  @ApiProperty(time) first_seen_at: string;
  @ApiProperty(time) last_activity_at: string | null;
  @ApiProperty(text('2026-11-01')) enriched_at: string | null;
  @ApiProperty(time) created_at: string;
  @ApiProperty(time) updated_at: string;
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'With `include=claims`.' })
  claims?: object;
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'With `include=epistemics`.' })
  epistemics?: object;
}

/** What every list says beside its rows. */
export class ListPage {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 1000, example: 100 }) limit: number;
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 10000, example: 0 }) offset?: number;
  @ApiProperty({ example: false }) has_more: boolean;
  @ApiProperty({ type: String, nullable: true, maxLength: 2000, description: 'For the next page; null on the last.' })
  next_cursor: string | null;
  @ApiPropertyOptional({ type: 'integer', minimum: 0, description: 'With `count=true`.', example: 1 }) count?: number;
}

/** The answer of GET /v2/people. */
export class PersonPage extends ListPage {
  @ApiProperty({ type: [Person], maxItems: 1000 }) people: Person[];
}

/** The answer of GET /v2/people/:id. */
export class PersonDetails {
  @ApiProperty({
    type: Person,
    description: 'The row, with `icp` and the ten latest events as `recent_activity`.',
  })
  person: Person;
}
