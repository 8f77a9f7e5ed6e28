import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const uuid = { format: 'uuid', example: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11' } as const;
const text = (example: string) => ({ type: String, nullable: true, maxLength: 200, example }) as const;
const time = { type: String, format: 'date-time', nullable: true, example: '2026-11-20T09:30:00Z' } as const;
const free = { type: 'object', additionalProperties: true } as const;

/** A row to be added; any further field is a fact of the person. */
export class NewLeadDto {
  @ApiPropertyOptional({
    description: 'E-mail address of the person. A row needs at least one identifier.',
    type: String,
    maxLength: 320,
    example: 'ada@acme.com',
  })
  email?: string;
  @ApiPropertyOptional({
    description: "URL of the person's LinkedIn profile.",
    type: String,
    maxLength: 2_000,
    example: 'https://www.linkedin.com/in/ada',
  })
  linkedin_url?: string;
  @ApiPropertyOptional({
    description: 'Numeric member ID at LinkedIn.',
    type: String,
    maxLength: 320,
    example: '123456789',
  })
  linkedin_member_id?: string;
  @ApiPropertyOptional({
    description: "Domain of the person's company. Alone, it identifies a company.",
    type: String,
    maxLength: 320,
    example: 'acme.com',
  })
  domain?: string;
  @ApiPropertyOptional({ ...uuid, description: 'ID of a person who is already in the graph.' }) contact_id?: string;
  @ApiPropertyOptional({
    description: 'Full name of the person.',
    type: String,
    maxLength: 1_000,
    example: 'Ada Lovelace',
  })
  name?: string;
  @ApiPropertyOptional({
    description: "Name of the person's company.",
    type: String,
    maxLength: 1_000,
    example: 'Acme',
  })
  company?: string;
  @ApiPropertyOptional({
    description: 'Status of the lead: `pending`, `sent`, `replied`, `bounced` or your own value.',
    type: String,
    maxLength: 200,
    default: 'pending',
    example: 'pending',
  })
  status?: string;
  @ApiPropertyOptional({ ...text('demo'), description: 'Pipeline stage of the lead.' }) stage?: string;
  @ApiPropertyOptional({ ...text('2'), description: 'Step of your outreach workflow.' }) step?: string;
  @ApiPropertyOptional({ ...text('a'), description: 'Variant of the message to send.' }) send_variant?: string;
  @ApiPropertyOptional({
    description: 'Whether the person has been contacted before.',
    type: Boolean,
    default: false,
    example: false,
  })
  is_repeat_contact?: boolean;
  @ApiPropertyOptional({ ...free, description: 'Any data that your workflow keeps with the lead.', example: {} })
  features?: object;
  @ApiPropertyOptional({
    ...free,
    example: { opener: 'Saw your talk' },
    description: 'Custom columns of the lead, by column name.',
  })
  fields?: object;
}

const dryRun = { type: Boolean, default: false, example: false, description: 'Only say what would happen.' } as const;

/** The body of POST /v2/leads: a flat row, or many in `leads`. */
export class AddLeadsRequest extends NewLeadDto {
  @ApiPropertyOptional({
    ...uuid,
    description: 'ID of the list to add to. `lead_list_id` is an alias. Required unless `list` is set.',
  })
  list_id?: string;
  @ApiPropertyOptional({
    type: String,
    maxLength: 200,
    example: 'Webinar November',
    description: 'Name of the list to add to. Created if it does not exist.',
  })
  list?: string;
  @ApiPropertyOptional({
    description: 'Up to 1000 rows, instead of a single row at the top level.',
    type: [NewLeadDto],
    maxItems: 1_000,
  })
  leads?: NewLeadDto[];
  @ApiPropertyOptional({
    description: 'Source that the facts of the rows are recorded under.',
    type: String,
    maxLength: 200,
    default: 'list',
    example: 'csv',
  })
  source?: string;
  @ApiPropertyOptional({
    description: 'Whether to add a row again if its person is already in the list.',
    type: Boolean,
    default: false,
    example: false,
  })
  importDuplicates?: boolean;
  @ApiPropertyOptional({
    ...dryRun,
    description: 'Set to true to return the outcome of each row without writing anything.',
  })
  dry_run?: boolean;
}

/** The body of POST /v2/lead-lists/attach. */
export class AttachLeadListRequest {
  @ApiPropertyOptional({
    description: 'Name of the new list. Required unless `lead_list_id` is set.',
    type: String,
    maxLength: 200,
    example: 'Webinar November',
  })
  name?: string;
  @ApiPropertyOptional({ ...uuid, description: 'ID of an existing list to add the rows to.' }) lead_list_id?: string;
  @ApiProperty({ description: 'Rows to attach, 1 to 1000.', type: [NewLeadDto], maxItems: 1_000, minItems: 1 })
  rows: NewLeadDto[];
  @ApiPropertyOptional({
    description: 'Source that the facts of the rows are recorded under.',
    type: String,
    maxLength: 200,
    default: 'external',
    example: 'csv',
  })
  source?: string;
  @ApiPropertyOptional({
    type: String,
    maxLength: 200,
    example: 'webinar-2026-11',
    description:
      'Key of the list in the source system. The same `name` and key refer to the same list, so the call ' +
      'can be repeated.',
  })
  external_id?: string;
  @ApiPropertyOptional({
    ...free,
    example: { 'E-Mail': 'email' },
    description: 'Maps column names of your rows to field names of this API.',
  })
  mapping?: object;
  @ApiPropertyOptional({ description: 'Whether to score the rows.', type: Boolean, default: true, example: true })
  score?: boolean;
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Whether each row includes its class as in `POST /v2/dedup`.',
    example: false,
  })
  dedup?: boolean;
  @ApiPropertyOptional({
    description: 'Whether to add a row again if its person is already in the list.',
    type: Boolean,
    default: false,
    example: false,
  })
  import_duplicates?: boolean;
  @ApiPropertyOptional({
    ...dryRun,
    description: 'Set to true to return the outcome of each row without writing anything.',
  })
  dry_run?: boolean;
}

/** The body of PATCH /v2/leads; any further field is a fact of the person. */
export class UpdateLeadRequest {
  @ApiPropertyOptional({ ...uuid, description: 'ID of the lead. Not needed with the ID in the path.' }) id?: string;
  @ApiPropertyOptional({
    ...text('sent'),
    description: 'Status of the lead: `pending`, `sent`, `replied`, `bounced` or your own value.',
  })
  status?: string;
  @ApiPropertyOptional({ ...text('demo'), description: 'Pipeline stage of the lead.' }) stage?: string;
  @ApiPropertyOptional({ ...text('2'), description: 'Step of your outreach workflow.' }) step?: string;
  @ApiPropertyOptional({
    ...text('interested'),
    description:
      'Outcome of the reply: `interested`, `objection`, `wrong_fit`, `unsubscribe` or your own value. ' +
      '`unsubscribe` also records that the person unsubscribed.',
  })
  reply_outcome?: string;
  @ApiPropertyOptional({ ...time, description: 'Time at which the person replied, ISO 8601.' }) replied_at?: string;
  @ApiPropertyOptional({
    ...time,
    description: 'Time at which the message was sent, ISO 8601. Also records the event that an e-mail was sent.',
  })
  sent_at?: string;
  @ApiPropertyOptional({ ...text('a'), description: 'Variant of the message that was sent.' }) send_variant?: string;
  @ApiPropertyOptional({
    description: 'Score of your own, 0 to 1.',
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 1,
    example: 0.8,
  })
  scorecard_score?: number;
  @ApiPropertyOptional({ ...uuid, description: 'ID of the person that the lead refers to.' }) contact_id?: string;
  @ApiPropertyOptional({ ...free, description: 'Data to merge into the features of the lead.', example: {} })
  features?: object;
  @ApiPropertyOptional({
    ...free,
    description: 'Custom columns to merge into those of the lead.',
    example: { opener: 'Saw your talk' },
  })
  fields?: object;
  @ApiPropertyOptional({
    type: String,
    maxLength: 512,
    example: '<m1@mail.acme.com>',
    description:
      'Deduplication key of the event in the sending system. A webhook that later reports the same event ' +
      'adds nothing.',
  })
  external_id?: string;
  @ApiPropertyOptional({
    type: String,
    maxLength: 100,
    example: 'n8n',
    description: 'Sending system that `external_id` belongs to.',
  })
  source?: string;
  @ApiPropertyOptional({ ...dryRun, description: 'Set to true to return the result without writing anything.' })
  dry_run?: boolean;
}
