import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MergeOutcomeDto } from '../observations/observations.dto.js';
import { Person } from './people.dto.js';
import { focusProperty } from '../identity/focus.dto.js';

const email = { type: String, maxLength: 320, nullable: true } as const;
const id = { type: String, maxLength: 320, nullable: true } as const;

/** By what a person is known. */
class PersonIdentifiersDto {
  @ApiPropertyOptional({
    ...email,
    example: 'ada@acme.com',
    description: 'E-mail address. Several addresses may be sent as an array.',
  })
  email?: string;
  @ApiPropertyOptional({
    description: 'Further e-mail addresses of the person.',
    type: 'array',
    items: { type: 'string', maxLength: 320 },
    maxItems: 20,
    example: ['ada@acme.com'],
  })
  emails?: string[];
  @ApiPropertyOptional({ ...email, description: 'E-mail address at work.', example: 'ada@acme.com' })
  work_email?: string;
  @ApiPropertyOptional({ ...email, description: 'Private e-mail address of the person.', example: 'ada@gmail.com' })
  personal_email?: string;
  @ApiPropertyOptional({
    ...email,
    description: 'Second e-mail address of the person.',
    example: 'a.lovelace@acme.com',
  })
  secondary_email?: string;
  @ApiPropertyOptional({ ...email, description: 'Any other e-mail address of the person.', example: 'al@acme.com' })
  other_email?: string;
  @ApiPropertyOptional({
    ...id,
    description: 'URL of the LinkedIn profile; normalised before matching.',
    maxLength: 2_000,
    example: 'https://www.linkedin.com/in/ada',
  })
  linkedin_url?: string;
  @ApiPropertyOptional({ ...id, description: 'Numeric member ID at LinkedIn.', example: '123456789' })
  linkedin_member_id?: string;
  @ApiPropertyOptional({ ...id, description: 'ID of the contact in HubSpot.', example: '501' }) hubspot_id?: string;
  @ApiPropertyOptional({ ...id, description: 'ID of the contact in Salesforce.', example: '0035e00000XyzAbAAJ' })
  salesforce_id?: string;
  @ApiPropertyOptional({ ...id, description: 'ID of the person in Pipedrive.', example: '77' }) pipedrive_id?: string;
  @ApiPropertyOptional({ ...id, description: 'ID of the contact in Apollo.', example: '5f2b' }) apollo_id?: string;
  @ApiPropertyOptional({ ...id, description: 'ID of the record in Attio.', example: 'rec_1' }) attio_id?: string;
}

/** Facts; there may be any others, by the name of their property. */
class PersonFactsDto extends PersonIdentifiersDto {
  @ApiPropertyOptional({
    description: 'Full name. Null states that it is no longer true.',
    type: String,
    nullable: true,
    maxLength: 1_000,
    example: 'Ada Lovelace',
  })
  name?: string;
  @ApiPropertyOptional({
    description: 'Job title. Null states that the person no longer holds it.',
    type: String,
    nullable: true,
    maxLength: 1_000,
    example: 'VP Sales',
  })
  title?: string;
  @ApiPropertyOptional({
    description: 'Name of the employer. Null states that the person left.',
    type: String,
    nullable: true,
    maxLength: 1_000,
    example: 'Acme',
  })
  company?: string;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { headcount: 120 },
    description: 'Further facts by property name. Use it where a property has the name of a request field.',
  })
  properties?: object;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { seniority: 'vp' },
    description: 'Further facts by property name; the same as sending them at the top level.',
  })
  fields?: object;
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    example: false,
    description: 'Set to true to return the result without writing anything.',
  })
  dry_run?: boolean;
}

/** The body of POST /v2/people. */
export class CreatePersonRequest extends PersonFactsDto {
  @ApiPropertyOptional({
    type: String,
    maxLength: 320,
    example: 'acme.com',
    description: 'Domain of the company. Without another identifier, a company is created instead of a person.',
  })
  domain?: string;
  @ApiPropertyOptional({
    description: 'Source that the facts are recorded under.',
    type: String,
    maxLength: 100,
    default: 'form',
    example: 'form',
  })
  source?: string;
}

/** The body of PATCH /v2/people. */
export class UpdatePersonRequest extends PersonFactsDto {
  @ApiPropertyOptional(
    focusProperty(
      'Person to update: entity UUID, e-mail address, domain or LinkedIn URL. Not needed with the ID in the path.',
    ),
  )
  focus?: string;
}

/** A field that was ignored. */
export class RowWarning {
  @ApiProperty({
    maxLength: 200,
    example: 'title',
    description: 'Name of the ignored field, with its index in a list.',
  })
  field: string;
  @ApiProperty({
    maxLength: 200,
    example: '"N/A" is a placeholder and was ignored.',
    description: 'Reason why the field was ignored.',
  })
  message: string;
}

/** Response to a write about a person. */
export class PersonWriteResult {
  @ApiProperty({ type: Person, nullable: true, description: 'The person after the write. Null in a dry run.' })
  person: Person | null;
  @ApiProperty({
    description: 'ID of the person. Null in a dry run for a person who does not exist yet.',
    type: String,
    nullable: true,
    format: 'uuid',
    example: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11',
  })
  entity_id: string | null;
  @ApiProperty({ description: 'Whether the person was created by this call.', example: true }) created: boolean;
  @ApiPropertyOptional({
    maxLength: 40,
    example: 'email',
    description:
      'Kind of identifier that matched the existing person: `email`, `linkedin`, `phone`, `external` or `entity_id`. Omitted if the person was created.',
  })
  matched_on?: string;
  @ApiProperty({ type: 'integer', minimum: 0, example: 3, description: 'Number of observations appended.' })
  claims_written: number;
  @ApiProperty({
    description: 'State properties whose claim was recomputed by this call.',
    type: [String],
    maxItems: 1_000,
    example: ['title'],
  })
  claims_recomputed: string[];
  @ApiPropertyOptional({
    type: MergeOutcomeDto,
    description:
      'Present if an identifier in the request belongs to another entity: the result of the attempt to ' +
      'merge the two.',
  })
  merge?: MergeOutcomeDto;
  @ApiPropertyOptional({
    type: [RowWarning],
    maxItems: 1_000,
    description: 'Fields that were ignored because they hold a placeholder such as `N/A`. Omitted if there are none.',
  })
  warnings?: RowWarning[];
  @ApiPropertyOptional({ description: 'True if this was a dry run; omitted otherwise.', type: Boolean, example: true })
  dry_run?: true;
}
