import { type ApiPropertyOptions, ApiProperty } from '@nestjs/swagger';
import { NAME_MATCHES } from '#domain/identity/match-name.js';

/** Describes a field that names an entity by a text or an object. @param description what the field names. */
export function focusProperty(description: string, maxLength = 320): ApiPropertyOptions {
  return {
    description:
      `${description} Also a phone number (\`tel:+4930123456\` or \`{"phone": …}\`) or the ID of another system ` +
      '(`external:hubspot:501` or `{"external": {"system", "id"}}`).',
    example: 'ada@acme.com',
    oneOf: [
      { type: 'string', maxLength },
      {
        type: 'object',
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: false,
        properties: { external: externalId, phone },
      },
    ],
  };
}

const externalId = {
  type: 'object',
  description: 'ID that the entity has in another system, such as a CRM.',
  required: ['system', 'id'],
  additionalProperties: false,
  properties: {
    system: {
      type: 'string',
      maxLength: 64,
      pattern: '^[a-z][a-z0-9_.-]*$',
      description: 'Name of the system in lower case, such as `hubspot`.',
    },
    id: { type: 'string', maxLength: 320, description: 'ID of the record in that system; case-sensitive.' },
    type: {
      type: 'string',
      enum: ['person', 'company'],
      default: 'person',
      description: 'Type of the record, which a write creates if nobody has the ID.',
    },
  },
};

const phone = {
  type: 'string',
  maxLength: 64,
  description: 'Phone number. Without a country code it belongs to `default_country` of the workspace profile.',
};

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
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'How well the name matches, 0 to 1. Null for an exact match.',
  })
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
  @ApiProperty({
    enum: NAME_MATCHES,
    description:
      'How the name matched. `exact`: ignoring case, accents and legal forms; `prefix`: the name begins with the ' +
      'query; `part`: it has all words of it; `nickname`; `company`: the rest of the query names the company; ' +
      '`similar`: with typing errors.',
  })
  matched_on: string;
}

/** Response to a name that matches several entities, or none exactly. */
export class AmbiguousNameDto {
  @ApiProperty({
    enum: ['ambiguous'],
    description: 'Always `ambiguous`: the name matches several entities, or none exactly.',
  })
  status: string;
  @ApiProperty({ type: String, example: 'Ada', description: 'Name that was looked up.' })
  query: string;
  @ApiProperty({ type: 'integer', minimum: 0, example: 2, description: 'Number of entities that match the name.' })
  count: number;
  @ApiProperty({
    type: [EntityCandidateDto],
    maxItems: 10,
    description: 'Matching entities, the best match first, then the most recently active, at most 10.',
  })
  candidates: EntityCandidateDto[];
  @ApiProperty({
    type: String,
    example: 'Pick a candidate …; then send the same request with its entity_id in place of the name, such as 0199….',
    description: 'How to go on, in a sentence.',
  })
  next_call: string;
}
