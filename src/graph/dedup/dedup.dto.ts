import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACCOUNT_RELATIONS } from '#domain/dedup/related-account.js';
import { DEDUP_OUTCOMES, DEDUP_REASONS } from '#domain/dedup/classify-contact.js';
import {
  MAX_DEDUP_ROWS,
  MAX_DEDUP_VALUES,
  MAX_WINDOW_DAYS,
  ROW_FIELDS,
  DEFAULT_WINDOW_DAYS,
  UNTAGGED_EMAIL,
} from './dedup-request.js';

/** What decided an outreach class. */
export class OutreachEvidenceDto {
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'Observation that decided the class. Omitted if a list did.',
  })
  observation_id?: string;
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'Lead list that decided the class. Omitted if an observation did.',
  })
  list_id?: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Time of the observation or of the change in the list, ISO 8601.',
  })
  at: string;
}

/** A lead list that a contact is in. */
export class LeadListMembershipDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the list.' })
  list_id: string;
  @ApiProperty({ type: String, example: 'November outreach', description: 'Display name of the list.' })
  name: string;
  @ApiProperty({ type: String, example: 'queued', description: 'Status of the contact in the list.' })
  status: string;
}

/** A row that could not be classified. */
export class DedupErrorDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 0,
    description: 'Zero-based position of the row in the request.',
  })
  index: number;
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'number' }],
    nullable: true,
    description: 'Your reference for the row. Null if none was sent.',
  })
  ref: object;
  @ApiProperty({
    enum: ['own_domain', 'identifier_required', 'invalid_identifier'],
    description: 'Code of the problem.',
  })
  error: string;
  @ApiProperty({
    type: String,
    example: 'The row has no identifier.',
    description: 'Explanation of the problem, for display.',
  })
  detail: string;
}

const texts = { type: 'array', items: { type: 'string', maxLength: 2048 }, maxItems: MAX_DEDUP_VALUES } as const;
const MAX_RESULTS = MAX_DEDUP_VALUES * 3;
const count = { type: 'integer', minimum: 0, maximum: MAX_RESULTS, format: 'int32' } as const;

/** One row. Other fields are refused. */
export class DedupRowDto {
  @ApiPropertyOptional({ description: 'E-mail address of the contact.', maxLength: 2048, example: 'ada@acme.com' })
  email?: string;
  @ApiPropertyOptional({
    description: "URL of the contact's LinkedIn profile.",
    maxLength: 2048,
    example: 'https://linkedin.com/in/ada',
  })
  linkedin_url?: string;
  @ApiPropertyOptional({
    description: 'Domain of a company. For a person, send it beside another identifier.',
    maxLength: 2048,
    example: 'acme.com',
  })
  domain?: string;
  @ApiPropertyOptional({
    description: 'Name of the contact. Not used for matching.',
    maxLength: 2048,
    example: 'Ada Lovelace',
  })
  name?: string;
  @ApiPropertyOptional({
    description: 'Company of the contact. Not used for matching.',
    maxLength: 2048,
    example: 'Acme',
  })
  company?: string;
  @ApiPropertyOptional({
    description: 'Your reference for the row, a string or number, echoed in the result.',
    maxLength: 512,
    example: 'row-1',
  })
  ref?: string;
}

/** The body of POST /v2/dedup. Checked by `readDedupRequest`. */
export class DedupRequestDto {
  @ApiPropertyOptional({
    type: [DedupRowDto],
    maxItems: MAX_DEDUP_ROWS,
    description: 'Contacts to classify. Send either this or lists of identifiers.',
    example: [{ email: 'ada@acme.com', ref: 'row-1' }],
  })
  rows?: DedupRowDto[];
  @ApiPropertyOptional({ ...texts, description: 'E-mail addresses to classify, instead of `rows`.' }) emails?: string[];
  @ApiPropertyOptional({ ...texts, description: 'LinkedIn URLs to classify, instead of `rows`.' })
  linkedin_urls?: string[];
  @ApiPropertyOptional({ ...texts, description: 'Company domains to classify, instead of `rows`.' }) domains?: string[];
  @ApiPropertyOptional({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_WINDOW_DAYS,
    default: DEFAULT_WINDOW_DAYS,
    description: 'Number of days within which earlier outreach counts as `engaged`.',
  })
  engaged_window_days?: number;
  @ApiPropertyOptional({ description: 'Whether being in another lead list counts as `engaged`.', default: true })
  include_lists?: boolean;
  @ApiPropertyOptional({ format: 'uuid', description: 'Lead list to ignore, such as the one you are filling.' })
  exclude_list_id?: string;
}

/** The company of a contact, as far as you already deal with it. */
export class DedupAccountDto {
  @ApiProperty({ description: 'Unique identifier of the company.', format: 'uuid' }) entity_id: string;
  @ApiProperty({
    description: '`customer`, or `open_deal` if a deal is in qualification, proposal or negotiation.',
    enum: ACCOUNT_RELATIONS,
    example: 'open_deal',
  })
  relation: string;
  @ApiProperty({ description: 'Stage that the relation follows from, in lower case.', example: 'negotiation' })
  stage: string;
  @ApiProperty({
    description: 'Person with that stage. Null if it is the stage of the company itself.',
    type: String,
    format: 'uuid',
    nullable: true,
  })
  contact_id: string | null;
}

/** The class of one row. */
export class DedupResultDto {
  @ApiProperty({ ...count, description: 'Zero-based position of the row in the request.', example: 0 }) index: number;
  @ApiProperty({
    description: 'Your reference for the row. Null if none was sent.',
    type: String,
    nullable: true,
    example: 'row-1',
  })
  ref: string | number | null;
  @ApiPropertyOptional({
    enum: ROW_FIELDS,
    description: 'Kind of identifier, for values sent in a list. Omitted for `rows`.',
  })
  kind?: string;
  @ApiPropertyOptional({ description: 'Value as it was sent, for values sent in a list. Omitted for `rows`.' })
  value?: string;
  @ApiProperty({
    description: 'Normalised e-mail address of the row. Null if it has none.',
    type: String,
    nullable: true,
    example: 'ada@acme.com',
  })
  email: string | null;
  @ApiProperty({
    description: 'Class of the contact. Only `net_new` contacts are safe for cold outreach.',
    enum: DEDUP_OUTCOMES,
    example: 'net_new',
  })
  outcome: string;
  @ApiProperty({ description: 'Rule that decided the outcome.', enum: DEDUP_REASONS, example: 'new' }) reason: string;
  @ApiProperty({
    description: 'Entity that the row matched. Null if it matched none.',
    type: String,
    format: 'uuid',
    nullable: true,
    example: null,
  })
  entity_id: string | null;
  @ApiProperty({
    description:
      'Kind of identifier that matched; `email_without_tag` if the address is known without its tag, such as ' +
      '`ada@acme.com` for `ada+news@acme.com`. Null if none did.',
    type: String,
    nullable: true,
    enum: [...ROW_FIELDS, UNTAGGED_EMAIL, null],
    example: null,
  })
  matched_on: string | null;
  @ApiProperty({
    type: OutreachEvidenceDto,
    nullable: true,
    description: 'Observation or list that decided the outcome, and its time. Null for `net_new`.',
    example: null,
  })
  evidence: OutreachEvidenceDto | null;
  @ApiProperty({
    type: [LeadListMembershipDto],
    maxItems: 20,
    description: 'Lead lists that the contact is in.',
    example: [],
  })
  lists: LeadListMembershipDto[];
  @ApiPropertyOptional({
    ...count,
    description: 'Index of an earlier row with the same contact. Omitted if there is none.',
  })
  duplicate_of?: number;
  @ApiPropertyOptional({
    description: 'Another, working e-mail address of a `bounced` contact. Omitted if none is known.',
  })
  alternate_email?: string;
  @ApiPropertyOptional({
    type: DedupAccountDto,
    description:
      'What the company of a `net_new` contact is to you: a customer, or one with an open deal. Ask its owner before you ' +
      'write. Omitted if it is neither.',
  })
  account?: DedupAccountDto;
}

/** How many rows there are of each class. */
export class DedupSummary {
  @ApiProperty({ ...count, description: 'Number of contacts not known before.', example: 1 }) net_new: number;
  @ApiProperty({
    ...count,
    description: 'Number of contacts already in conversation or recently contacted.',
    example: 0,
  })
  engaged: number;
  @ApiProperty({ ...count, description: 'Number of contacts whose e-mail address no longer works.', example: 0 })
  bounced: number;
  @ApiProperty({ ...count, description: 'Number of contacts who asked not to be contacted.', example: 0 })
  unsubscribed: number;
  @ApiProperty({ ...count, description: 'Number of classified rows.', example: 1 }) total: number;
}

/** Response of POST /v2/dedup. */
export class DedupReport {
  @ApiProperty({
    description: 'Result of each classified row, in the order of the request.',
    type: [DedupResultDto],
    maxItems: MAX_RESULTS,
  })
  results: DedupResultDto[];
  @ApiProperty({ description: 'Number of rows per outcome.', type: DedupSummary }) summary: DedupSummary;
  @ApiProperty({
    type: [DedupErrorDto],
    maxItems: MAX_RESULTS,
    description: "Rows without a usable identifier, or at the workspace's own domains.",
    example: [],
  })
  errors: DedupErrorDto[];
}
