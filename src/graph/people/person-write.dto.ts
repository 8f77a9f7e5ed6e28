import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MergeOutcomeDto } from '../observations/observations.dto.js';
import { Person } from './people.dto.js';

const email = { type: String, maxLength: 320, nullable: true } as const;
const id = { type: String, maxLength: 320, nullable: true } as const;

/** By what a person is known. */
class PersonIdentifiersDto {
  @ApiPropertyOptional({ ...email, example: 'ada@acme.com', description: 'An address, or a list of them.' })
  email?: string;
  @ApiPropertyOptional({ type: [String], maxItems: 20, example: ['ada@acme.com'] }) emails?: string[];
  @ApiPropertyOptional({ ...email, example: 'ada@acme.com' }) work_email?: string;
  @ApiPropertyOptional({ ...email, example: 'ada@gmail.com' }) personal_email?: string;
  @ApiPropertyOptional({ ...email, example: 'a.lovelace@acme.com' }) secondary_email?: string;
  @ApiPropertyOptional({ ...email, example: 'al@acme.com' }) other_email?: string;
  @ApiPropertyOptional({ ...id, maxLength: 2_000, example: 'https://www.linkedin.com/in/ada' }) linkedin_url?: string;
  @ApiPropertyOptional({ ...id, example: '123456789' }) linkedin_member_id?: string;
  @ApiPropertyOptional({ ...id, example: '501' }) hubspot_id?: string;
  @ApiPropertyOptional({ ...id, example: '77' }) pipedrive_id?: string;
  @ApiPropertyOptional({ ...id, example: '5f2b' }) apollo_id?: string;
  @ApiPropertyOptional({ ...id, example: 'rec_1' }) attio_id?: string;
}

/** Facts; there may be any others, by the name of their property. */
class PersonFactsDto extends PersonIdentifiersDto {
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 1_000, example: 'Ada Lovelace' }) name?: string;
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 1_000, example: 'VP Sales' }) title?: string;
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 1_000, example: 'Acme' }) company?: string;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { headcount: 120 },
    description: 'Further facts by property, where a name would clash with a field.',
  })
  properties?: object;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { seniority: 'vp' },
    description: 'Facts, as if they stood beside it.',
  })
  fields?: object;
  @ApiPropertyOptional({ type: Boolean, default: false, example: false, description: 'Only say what would happen.' })
  dry_run?: boolean;
}

/** The body of POST /v2/people. */
export class CreatePersonRequest extends PersonFactsDto {
  @ApiPropertyOptional({ type: String, maxLength: 320, example: 'acme.com', description: 'Alone, it makes a company.' })
  domain?: string;
  @ApiPropertyOptional({ type: String, maxLength: 100, default: 'form', example: 'form' }) source?: string;
}

/** The body of PATCH /v2/people. */
export class UpdatePersonRequest extends PersonFactsDto {
  @ApiPropertyOptional({ type: String, maxLength: 320, example: 'ada@acme.com', description: 'Whom it is about.' })
  focus?: string;
}

/** A field that was ignored. */
export class RowWarning {
  @ApiProperty({ maxLength: 200, example: 'title', description: 'Name of the field, with the place in a list.' })
  field: string;
  @ApiProperty({ maxLength: 200, example: '"N/A" is a placeholder and was ignored.', description: 'Why.' })
  message: string;
}

/** The answer to a write about a person. */
export class PersonWriteResult {
  @ApiProperty({ type: Person, nullable: true, description: 'Null in a dry run.' })
  person: Person | null;
  @ApiProperty({ type: String, nullable: true, format: 'uuid', example: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11' })
  entity_id: string | null;
  @ApiProperty({ example: true }) created: boolean;
  @ApiPropertyOptional({ maxLength: 40, example: 'email', description: 'The kind of identifier that was known.' })
  matched_on?: string;
  @ApiProperty({ type: 'integer', minimum: 0, example: 3, description: 'Observations that were appended.' })
  claims_written: number;
  @ApiProperty({ type: [String], maxItems: 1_000, example: ['title'] }) claims_recomputed: string[];
  @ApiPropertyOptional({
    type: MergeOutcomeDto,
    description: 'Another entity that the identifiers were of, now merged.',
  })
  merge?: MergeOutcomeDto;
  @ApiPropertyOptional({
    type: [RowWarning],
    maxItems: 1_000,
    description: 'Fields that were ignored because they hold a placeholder such as `N/A`. Omitted if there are none.',
  })
  warnings?: RowWarning[];
  @ApiPropertyOptional({ type: Boolean, example: true }) dry_run?: true;
}
