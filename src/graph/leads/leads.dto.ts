import { ApiProperty, ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import { LeadListMembershipDto, OutreachEvidenceDto } from '../dedup/dedup.dto.js';
import { ScoreResult, LayerDto } from '../score/score.dto.js';
import { ListPage, Person } from '../people/people.dto.js';

/** A field of a row that was ignored or rejected. */
export class RowProblemDto {
  @ApiPropertyOptional({
    description: 'Position in a list, from 0. Omitted if the row as a whole is meant.',
    type: 'integer',
  })
  index?: number;
  @ApiProperty({ description: 'Name of the field.', example: 'email' }) field: string;
  @ApiProperty({ description: 'What is wrong, and how to fix it.', example: 'must be an e-mail address' })
  message: string;
}

/** Why a row was not added. */
export class RowErrorDto {
  @ApiProperty({ description: 'Error code, as in error responses.', example: 'invalid_request' }) error: string;
  @ApiPropertyOptional({ description: 'Explanation of the error, for display.' }) detail?: string;
  @ApiPropertyOptional({ description: 'Fields that are wrong.', type: [RowProblemDto] }) details?: RowProblemDto[];
}

/** The outreach class of a row. */
export class OutreachClassDto {
  @ApiProperty({
    description: 'Class of the contact. Only `net_new` contacts are safe for cold outreach.',
    enum: ['unsubscribed', 'bounced', 'engaged', 'net_new'],
  })
  outcome: string;
  @ApiProperty({ description: 'Rule that decided the outcome.', example: 'new' }) reason: string;
  @ApiProperty({
    description: 'Observation or list that decided the outcome. Null for `net_new`.',
    type: OutreachEvidenceDto,
    nullable: true,
  })
  evidence: OutreachEvidenceDto | null;
  @ApiProperty({ description: 'Other lead lists that the contact is in.', type: [LeadListMembershipDto] })
  lists: LeadListMembershipDto[];
  @ApiPropertyOptional({ description: 'Index of an earlier row with the same contact.', type: 'integer' })
  duplicate_of?: number;
  @ApiPropertyOptional({ description: 'Another, working address of a `bounced` contact.' }) alternate_email?: string;
}

/** Outcome of a row, with the score of the lead if it was scored. */
export class AddLeadResultDto extends PartialType(
  OmitType(ScoreResult, ['entity_id', 'lead_id', 'identifier'] as const),
) {
  @ApiProperty({
    description: 'Zero-based position of the row in the request.',
    type: 'integer',
    minimum: 0,
    example: 0,
  })
  index: number;
  @ApiProperty({
    description: 'Identifier that the row was resolved by. Null if it has none.',
    type: String,
    nullable: true,
    example: 'ada@acme.com',
  })
  identifier: string | null;
  @ApiProperty({
    description: 'ID of the lead. Null if the row was not added.',
    type: String,
    format: 'uuid',
    nullable: true,
  })
  lead_id: string | null;
  @ApiProperty({
    description: 'ID of the person. Null if the row was rejected.',
    type: String,
    format: 'uuid',
    nullable: true,
  })
  entity_id: string | null;
  @ApiProperty({
    description: 'What happened to the row.',
    enum: ['created', 'matched', 'duplicate', 'ambiguous', 'invalid'],
  })
  status: string;
  @ApiProperty({
    description: 'Form of the identifier that matched a known person. Null if none did.',
    type: String,
    nullable: true,
    example: null,
  })
  matched_on: string | null;
  @ApiPropertyOptional({ description: 'Fields of the row that were ignored.', type: [RowProblemDto] })
  warnings?: RowProblemDto[];
  @ApiPropertyOptional({ description: 'Outreach class of the contact, if requested.', type: OutreachClassDto })
  dedup?: OutreachClassDto;
  @ApiPropertyOptional({ description: 'Why the row was not added. Omitted if it was.', type: RowErrorDto })
  error?: RowErrorDto;
}

const uuid = { format: 'uuid', example: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11' } as const;
const text = (example: string) => ({ type: String, nullable: true, maxLength: 200, example }) as const;
const time = { type: String, format: 'date-time', nullable: true, example: '2026-11-20T09:30:00Z' } as const;
const free = { type: 'object', additionalProperties: true } as const;
const score = { type: 'integer', nullable: true, minimum: 0, maximum: 100, example: 82 } as const;

/** A layer of the latest score, without its reasons. */
export class LeadLayerDto extends OmitType(LayerDto, ['trust', 'reasons'] as const) {}

/** The layers of the latest score. */
export class LeadLayersDto {
  @ApiProperty({ description: 'How well the lead matches the ideal customer profile.', type: LeadLayerDto })
  fit: LeadLayerDto;
  @ApiProperty({ description: 'How strongly the lead has the problem that the product solves.', type: LeadLayerDto })
  pain: LeadLayerDto;
  @ApiProperty({ description: 'How strongly recent behaviour signals interest in buying.', type: LeadLayerDto })
  intent: LeadLayerDto;
  @ApiProperty({ description: 'Whether the lead can be reached and can decide.', type: LeadLayerDto })
  ability: LeadLayerDto;
}

/** A lead as lists show it: the person's row and what belongs to the lead. */
export class Lead extends Person {
  @ApiProperty({ ...uuid, description: 'Unique identifier of the lead. The person is `entity_id`.' })
  declare id: string;
  @ApiProperty({ ...uuid, description: 'Alias of the field `id`.' }) lead_id: string;
  @ApiProperty({ ...uuid, description: 'ID of the person; the same as `entity_id`.' }) contact_id: string;
  @ApiProperty({ ...uuid, description: 'Workspace that the lead belongs to.' }) workspace_id: string;
  @ApiProperty({ ...uuid, description: 'Lead list that the lead is in.' }) list_id: string;
  @ApiProperty({ ...uuid, description: 'Alias of the field `list_id`.' }) lead_list_id: string;
  @ApiProperty({ ...text('Webinar November'), description: 'Name of the lead list.' }) list_name: string;
  @ApiProperty({ ...text('2'), description: 'Step of your outreach workflow. Null if not set.' }) step: string | null;
  @ApiProperty({
    ...text('interested'),
    description:
      'Outcome of the reply: `interested`, `objection`, `wrong_fit`, `unsubscribe` or your own value. Null ' +
      'without a reply.',
  })
  reply_outcome: string | null;
  @ApiProperty({ ...time, description: 'Time at which the person replied, ISO 8601. Null without a reply.' })
  replied_at: string | null;
  @ApiProperty({ ...time, description: 'Time at which the message was sent, ISO 8601. Null if none was sent.' })
  sent_at: string | null;
  @ApiProperty({ ...text('a'), description: 'Variant of the message that was sent. Null if not set.' }) send_variant:
    | string
    | null;
  @ApiProperty({ description: 'Whether the person had been contacted before.', example: false })
  is_repeat_contact: boolean;
  @ApiProperty({ ...free, description: 'Any data that your workflow keeps with the lead.', example: {} })
  features: object;
  @ApiProperty({
    ...free,
    description: 'Custom columns of the lead, by column name.',
    example: { opener: 'Saw your talk' },
  })
  fields: object;
  @ApiProperty({
    ...free,
    example: { email: 'ada@acme.com' },
    description: 'Row that the lead was added with, unchanged.',
  })
  row: object;
  @ApiProperty({ ...score, description: 'Priority of the lead, 0 to 100. Null if not scored.' }) priority:
    | number
    | null;
  @ApiProperty({
    description: 'Confidence in the priority, 0 to 1. Null if not scored.',
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 1,
    example: 0.7,
  })
  priority_confidence: number | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 1,
    description: 'Priority as a share, 0 to 1, or the value that was set on the lead. Null if neither exists.',
    example: 0.82,
  })
  scorecard_score: number | null;
  @ApiProperty({
    ...text('work now'),
    description:
      'Recommended next step: `work now`, `nurture`, `research`, `enrich` or `suppress`. Null if not scored.',
  })
  play: string | null;
  @ApiProperty({
    type: LeadLayersDto,
    nullable: true,
    description: 'Fit, Pain, Intent and Ability of the latest score. Null if not scored.',
    example: null,
  })
  layers: LeadLayersDto | null;
  @ApiProperty({ ...text('tier_2'), description: 'Tier of the Fit score, such as `tier_1`. Null if unknown.' }) tier:
    | string
    | null;
  @ApiProperty({ ...score, description: 'Strength of buying signals, 0 to 100. Null if unknown.' }) intent_score:
    | number
    | null;
  @ApiProperty({ ...text('Hot'), description: 'Label of the intent score, such as `Hot`. Null if unknown.' })
  intent_band: string | null;
  @ApiProperty({ ...time, description: 'Time at which the lead was added to the list, ISO 8601.' }) added_at: string;
}

/** Response of GET /v2/leads. */
export class LeadsPage extends ListPage {
  @ApiProperty({ description: 'Leads on this page.', type: [Lead], maxItems: 1_000 }) leads: Lead[];
}

/** Response of PATCH /v2/leads. */
export class LeadDetails {
  @ApiProperty({ type: Lead, nullable: true, description: 'The lead after the change. Null in a dry run.' })
  lead: Lead | null;
  @ApiPropertyOptional({ description: 'True if this was a dry run; omitted otherwise.', type: Boolean, example: true })
  dry_run?: true;
}

const count = { type: 'integer', minimum: 0, example: 1 } as const;

/** Response to added rows. */
export class AddedLeads {
  @ApiProperty({
    ...uuid,
    type: String,
    nullable: true,
    description: 'List that the rows were added to. Null in a dry run that would create the list.',
  })
  list_id: string | null;
  @ApiProperty({ ...uuid, description: 'Alias of the field `list_id`.', type: String, nullable: true }) lead_list_id:
    | string
    | null;
  @ApiProperty({ ...count, description: 'Number of rows added to the list.' }) inserted: number;
  @ApiProperty({ ...count, description: 'Number of rows skipped as duplicates.' }) duplicate_skipped: number;
  @ApiProperty({ ...count, description: 'Number of rows that were not added, for any reason.' }) skipped: number;
  @ApiProperty({ ...count, description: 'Number of rows with at least one known score layer.' }) scored: number;
  @ApiProperty({ ...count, description: 'Number of rows with too little data to score.' }) awaiting_enrichment: number;
  @ApiProperty({ ...count, description: 'Number of rows without a usable identifier.' }) unresolved: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Number of rows per outcome.',
    example: { attached: 1, matched: 0, created: 1, ambiguous: 0, invalid: 0, duplicate: 0 },
  })
  counts: Record<string, number>;
  @ApiProperty({
    type: [AddLeadResultDto],
    maxItems: 1_000,
    description: 'Outcome of each row, in the order of the request.',
  })
  results: AddLeadResultDto[];
  @ApiPropertyOptional({ description: 'True if this was a dry run; omitted otherwise.', type: Boolean, example: true })
  dry_run?: true;
}
