import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DEDUP_OUTCOMES, DEDUP_REASONS } from '#domain/dedup/classify-contact.js';
import { MAX_DEDUP_ROWS, MAX_DEDUP_VALUES, MAX_WINDOW_DAYS, ROW_FIELDS, DEFAULT_WINDOW_DAYS } from './dedup-request.js';

const texts = { type: 'array', items: { type: 'string', maxLength: 2048 }, maxItems: MAX_DEDUP_VALUES } as const;
const MAX_RESULTS = MAX_DEDUP_VALUES * 3;
const count = { type: 'integer', minimum: 0, maximum: MAX_RESULTS, format: 'int32' } as const;

/** One row. Other fields are refused. */
export class DedupRowDto {
  @ApiPropertyOptional({ maxLength: 2048, example: 'ada@acme.com' }) email?: string;
  @ApiPropertyOptional({ maxLength: 2048, example: 'https://linkedin.com/in/ada' }) linkedin_url?: string;
  @ApiPropertyOptional({
    description: 'Of a company; of a person beside another field.',
    maxLength: 2048,
    example: 'acme.com',
  })
  domain?: string;
  @ApiPropertyOptional({ description: 'Names nobody.', maxLength: 2048, example: 'Ada Lovelace' }) name?: string;
  @ApiPropertyOptional({ description: 'Names nobody.', maxLength: 2048, example: 'Acme' }) company?: string;
  @ApiPropertyOptional({ description: 'Echoed; a text or a number.', maxLength: 512, example: 'row-1' }) ref?: string;
}

/** The body of POST /v2/dedup. Checked by `readDedupRequest`. */
export class DedupRequestDto {
  @ApiPropertyOptional({
    type: [DedupRowDto],
    maxItems: MAX_DEDUP_ROWS,
    description: 'Rows to tell apart.',
    example: [{ email: 'ada@acme.com', ref: 'row-1' }],
  })
  rows?: DedupRowDto[];
  @ApiPropertyOptional({ ...texts, description: 'In place of `rows`.' }) emails?: string[];
  @ApiPropertyOptional({ ...texts, description: 'In place of `rows`.' }) linkedin_urls?: string[];
  @ApiPropertyOptional({ ...texts, description: 'In place of `rows`.' }) domains?: string[];
  @ApiPropertyOptional({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_WINDOW_DAYS,
    default: DEFAULT_WINDOW_DAYS,
    description: 'Days within which outreach counts as engaged.',
  })
  engaged_window_days?: number;
  @ApiPropertyOptional({ description: 'Whether waiting in a list counts as engaged.', default: true })
  include_lists?: boolean;
  @ApiPropertyOptional({ format: 'uuid', description: 'A list that does not count: the one you are filling.' })
  exclude_list_id?: string;
}

/** The class of one row. */
export class DedupResultDto {
  @ApiProperty({ ...count, description: 'Place of the row, from 0.', example: 0 }) index: number;
  @ApiProperty({ type: String, nullable: true, example: 'row-1' }) ref: string | number | null;
  @ApiPropertyOptional({ enum: ROW_FIELDS, description: 'Of a value in a list.' }) kind?: string;
  @ApiPropertyOptional({ description: 'Of a value in a list, as it was sent.' }) value?: string;
  @ApiProperty({ type: String, nullable: true, example: 'ada@acme.com' }) email: string | null;
  @ApiProperty({ enum: DEDUP_OUTCOMES, example: 'net_new' }) outcome: string;
  @ApiProperty({ enum: DEDUP_REASONS, example: 'new' }) reason: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: null }) entity_id: string | null;
  @ApiProperty({ type: String, nullable: true, enum: [...ROW_FIELDS, null], example: null }) matched_on: string | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: '`{observation_id | list_id, at}`; null for `net_new`.',
    example: null,
  })
  evidence: object | null;
  @ApiProperty({
    type: 'array',
    items: { type: 'object' },
    maxItems: 20,
    description: '`{list_id, name, status}`.',
    example: [],
  })
  lists: object[];
  @ApiPropertyOptional({ ...count, description: 'The row before that means the same.' }) duplicate_of?: number;
  @ApiPropertyOptional({ description: 'Another address to write to.' }) alternate_email?: string;
}

/** How many rows there are of each class. */
export class DedupSummary {
  @ApiProperty({ ...count, example: 1 }) net_new: number;
  @ApiProperty({ ...count, example: 0 }) engaged: number;
  @ApiProperty({ ...count, example: 0 }) bounced: number;
  @ApiProperty({ ...count, example: 0 }) unsubscribed: number;
  @ApiProperty({ ...count, description: 'Rows that have a class.', example: 1 }) total: number;
}

/** The answer of POST /v2/dedup. */
export class DedupReport {
  @ApiProperty({ type: [DedupResultDto], maxItems: MAX_RESULTS }) results: DedupResultDto[];
  @ApiProperty({ type: DedupSummary }) summary: DedupSummary;
  @ApiProperty({
    type: 'array',
    items: { type: 'object' },
    maxItems: MAX_RESULTS,
    description: '`{index, ref, error, detail}` of rows by which nobody can be told.',
    example: [],
  })
  errors: object[];
}
