import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ListPage, Person } from '../people/people.dto.js';

const uuid = { format: 'uuid', example: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11' } as const;
const text = (example: string) => ({ type: String, nullable: true, maxLength: 200, example }) as const;
const time = { type: String, format: 'date-time', nullable: true, example: '2026-11-20T09:30:00Z' } as const;
const free = { type: 'object', additionalProperties: true } as const;
const score = { type: 'integer', nullable: true, minimum: 0, maximum: 100, example: 82 } as const;

/** A lead as lists show it: the person's row and what belongs to the lead. */
export class Lead extends Person {
  @ApiProperty({ ...uuid, description: 'The lead; the person is `entity_id`.' }) declare id: string;
  @ApiProperty(uuid) lead_id: string;
  @ApiProperty(uuid) contact_id: string;
  @ApiProperty(uuid) workspace_id: string;
  @ApiProperty(uuid) list_id: string;
  @ApiProperty(uuid) lead_list_id: string;
  @ApiProperty(text('Webinar November')) list_name: string;
  @ApiProperty(text('2')) step: string | null;
  @ApiProperty(text('interested')) reply_outcome: string | null;
  @ApiProperty(time) replied_at: string | null;
  @ApiProperty(time) sent_at: string | null;
  @ApiProperty(text('a')) send_variant: string | null;
  @ApiProperty({ example: false }) is_repeat_contact: boolean;
  @ApiProperty({ ...free, example: {} }) features: object;
  @ApiProperty({ ...free, example: { opener: 'Saw your talk' } }) fields: object;
  @ApiProperty({ ...free, example: { email: 'ada@acme.com' }, description: 'The row that the lead was added with.' })
  row: object;
  @ApiProperty(score) priority: number | null;
  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 1, example: 0.7 }) priority_confidence:
    | number
    | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 1,
    description: 'The priority as a share.',
    example: 0.82,
  })
  scorecard_score: number | null;
  @ApiProperty(text('work now')) play: string | null;
  @ApiProperty({ ...free, nullable: true, example: null }) layers: object | null;
  @ApiProperty(text('tier_2')) tier: string | null;
  @ApiProperty(score) intent_score: number | null;
  @ApiProperty(text('Hot')) intent_band: string | null;
  @ApiProperty(time) added_at: string;
}

/** The answer of GET /v2/leads. */
export class LeadsPage extends ListPage {
  @ApiProperty({ type: [Lead], maxItems: 1_000 }) leads: Lead[];
}

/** The answer of PATCH /v2/leads. */
export class LeadDetails {
  @ApiProperty({ type: Lead, nullable: true, description: 'Null in a dry run.' }) lead: Lead | null;
  @ApiPropertyOptional({ type: Boolean, example: true }) dry_run?: true;
}

/** A row to be added; any further field is a fact of the person. */
export class NewLeadDto {
  @ApiPropertyOptional({ type: String, maxLength: 320, example: 'ada@acme.com' }) email?: string;
  @ApiPropertyOptional({ type: String, maxLength: 2_000, example: 'https://www.linkedin.com/in/ada' })
  linkedin_url?: string;
  @ApiPropertyOptional({ type: String, maxLength: 320, example: '123456789' }) linkedin_member_id?: string;
  @ApiPropertyOptional({ type: String, maxLength: 320, example: 'acme.com' }) domain?: string;
  @ApiPropertyOptional(uuid) contact_id?: string;
  @ApiPropertyOptional({ type: String, maxLength: 1_000, example: 'Ada Lovelace' }) name?: string;
  @ApiPropertyOptional({ type: String, maxLength: 1_000, example: 'Acme' }) company?: string;
  @ApiPropertyOptional({ type: String, maxLength: 200, default: 'pending', example: 'pending' }) status?: string;
  @ApiPropertyOptional(text('demo')) stage?: string;
  @ApiPropertyOptional(text('2')) step?: string;
  @ApiPropertyOptional(text('a')) send_variant?: string;
  @ApiPropertyOptional({ type: Boolean, default: false, example: false }) is_repeat_contact?: boolean;
  @ApiPropertyOptional({ ...free, example: {} }) features?: object;
  @ApiPropertyOptional({ ...free, example: { opener: 'Saw your talk' }, description: 'Columns of the list.' })
  fields?: object;
}

const dryRun = { type: Boolean, default: false, example: false, description: 'Only say what would happen.' } as const;

/** The body of POST /v2/leads: a flat row, or many in `leads`. */
export class AddLeadsRequest extends NewLeadDto {
  @ApiPropertyOptional({ ...uuid, description: 'The list. `lead_list_id` is the same.' }) list_id?: string;
  @ApiPropertyOptional({ type: String, maxLength: 200, example: 'Webinar November', description: 'Its name, instead.' })
  list?: string;
  @ApiPropertyOptional({ type: [NewLeadDto], maxItems: 1_000 }) leads?: NewLeadDto[];
  @ApiPropertyOptional({ type: String, maxLength: 200, default: 'list', example: 'csv' }) source?: string;
  @ApiPropertyOptional({ type: Boolean, default: false, example: false }) importDuplicates?: boolean;
  @ApiPropertyOptional(dryRun) dry_run?: boolean;
}

/** The body of POST /v2/lead-lists/attach. */
export class AttachLeadListRequest {
  @ApiPropertyOptional({ type: String, maxLength: 200, example: 'Webinar November' }) name?: string;
  @ApiPropertyOptional({ ...uuid, description: 'A list that is there, instead of a name.' }) lead_list_id?: string;
  @ApiProperty({ type: [NewLeadDto], maxItems: 1_000, minItems: 1 }) rows: NewLeadDto[];
  @ApiPropertyOptional({ type: String, maxLength: 200, default: 'external', example: 'csv' }) source?: string;
  @ApiPropertyOptional({
    type: String,
    maxLength: 200,
    example: 'webinar-2026-11',
    description: 'Names the list with `name`.',
  })
  external_id?: string;
  @ApiPropertyOptional({ ...free, example: { 'E-Mail': 'email' }, description: 'Fields by column.' }) mapping?: object;
  @ApiPropertyOptional({ type: Boolean, default: true, example: true }) score?: boolean;
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Tell of each row, as `dedup`, whether it may be written to.',
    example: false,
  })
  dedup?: boolean;
  @ApiPropertyOptional({ type: Boolean, default: false, example: false }) import_duplicates?: boolean;
  @ApiPropertyOptional(dryRun) dry_run?: boolean;
}

const count = { type: 'integer', minimum: 0, example: 1 } as const;

/** The answer to rows that were added. */
export class AddedLeads {
  @ApiProperty({ ...uuid, type: String, nullable: true, description: 'Null where a dry run would make the list.' })
  list_id: string | null;
  @ApiProperty({ ...uuid, type: String, nullable: true }) lead_list_id: string | null;
  @ApiProperty(count) inserted: number;
  @ApiProperty(count) duplicate_skipped: number;
  @ApiProperty(count) skipped: number;
  @ApiProperty(count) scored: number;
  @ApiProperty(count) awaiting_enrichment: number;
  @ApiProperty(count) unresolved: number;
  @ApiProperty({ ...free, example: { attached: 1, matched: 0, created: 1, ambiguous: 0, invalid: 0, duplicate: 0 } })
  counts: object;
  @ApiProperty({ type: 'array', items: free, maxItems: 1_000, description: 'The outcome of each row, with its score.' })
  results: object[];
  @ApiPropertyOptional({ type: Boolean, example: true }) dry_run?: true;
}

/** The body of PATCH /v2/leads; any further field is a fact of the person. */
export class UpdateLeadRequest {
  @ApiPropertyOptional({ ...uuid, description: 'The lead, where it does not stand in the path.' }) id?: string;
  @ApiPropertyOptional(text('sent')) status?: string;
  @ApiPropertyOptional(text('demo')) stage?: string;
  @ApiPropertyOptional(text('2')) step?: string;
  @ApiPropertyOptional(text('interested')) reply_outcome?: string;
  @ApiPropertyOptional(time) replied_at?: string;
  @ApiPropertyOptional(time) sent_at?: string;
  @ApiPropertyOptional(text('a')) send_variant?: string;
  @ApiPropertyOptional({ type: Number, nullable: true, minimum: 0, maximum: 1, example: 0.8 }) scorecard_score?: number;
  @ApiPropertyOptional(uuid) contact_id?: string;
  @ApiPropertyOptional({ ...free, example: {} }) features?: object;
  @ApiPropertyOptional({ ...free, example: { opener: 'Saw your talk' } }) fields?: object;
  @ApiPropertyOptional({
    type: String,
    maxLength: 512,
    example: '<m1@mail.acme.com>',
    description: 'The key that the sending system has for what happened: a webhook that brings it later adds nothing.',
  })
  external_id?: string;
  @ApiPropertyOptional({ type: String, maxLength: 100, example: 'n8n', description: 'The system of `external_id`.' })
  source?: string;
  @ApiPropertyOptional(dryRun) dry_run?: boolean;
}
