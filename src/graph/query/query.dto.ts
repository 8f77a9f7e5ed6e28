import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AGGREGATES, GROUPINGS, SUMMARIES } from '#domain/query/query.js';

const time = { format: 'date-time', example: '2026-11-01T00:00:00Z' } as const;
const open = { type: 'object', additionalProperties: true } as const;
const listOf = (maxItems: number, description: string) => ({
  type: 'array' as const,
  items: open,
  maxItems,
  description,
});

/** Which observations are meant. */
export class QueryScope {
  @ApiPropertyOptional({ enum: ['event', 'state'], example: 'event' }) kind?: string;
  @ApiPropertyOptional({
    description: 'Beginning of the property. Other names of properties and events are understood.',
    maxLength: 100,
    example: 'interaction.email',
  })
  property?: string;
  @ApiPropertyOptional({ description: 'Exactly this source.', maxLength: 100, example: 'agent' }) source?: string;
  @ApiPropertyOptional({
    description: 'UUID, e-mail address, domain, LinkedIn URL or name; a company with its people.',
    maxLength: 320,
    example: 'ada@acme.com',
  })
  entity_id?: string;
  @ApiPropertyOptional({ minimum: 0, maximum: 36500, description: 'From so many days ago on.', example: 30 })
  since_days?: number;
  @ApiPropertyOptional({ ...time, description: 'From then on; meetings count by their start.' }) from?: string;
  @ApiPropertyOptional({ ...time, example: '2026-12-01T00:00:00Z', description: 'Until then.' }) to?: string;
  @ApiPropertyOptional({ enum: ['desc', 'asc'], default: 'desc', example: 'desc' }) order?: string;
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: 50, example: 50 }) limit?: number;
  @ApiPropertyOptional({ default: false, description: 'What is claimed, as sentences.', example: false })
  facts?: boolean;
}

/** Further conditions. */
export class QueryFilter {
  @ApiPropertyOptional({
    ...open,
    description: 'Conditions on the entities, as `filter` of GET /v2/people; `type` is person or company.',
    example: { title: { $contains: 'vp' } },
  })
  entity?: object;
  @ApiPropertyOptional({
    ...open,
    description:
      'Conditions on the observations: `kind`, `property` and `source` (lists), `value` (exactly), `text` (in the value), ' +
      '`since`, `until`.',
    example: { text: 'pricing' },
  })
  observation?: object;
}

/** One aggregate. */
export class QueryAggregate {
  @ApiProperty({ enum: AGGREGATES, example: 'sum' }) op: string;
  @ApiPropertyOptional({ description: 'Path into the value; default: the value.', maxLength: 100, example: 'amount' })
  field?: string;
}

/** The body of POST /v2/query. */
export class QueryRequest {
  @ApiPropertyOptional({ type: QueryScope, description: 'Default: everything.' }) scope?: QueryScope;
  @ApiPropertyOptional({
    ...open,
    description: 'The same shape: entities that have any of these are left out.',
    example: { property: 'interaction.email_replied' },
  })
  without?: object;
  @ApiPropertyOptional({ type: QueryFilter }) filter?: QueryFilter;
  @ApiPropertyOptional({ enum: ['observations', 'entities'], default: 'observations', example: 'observations' })
  return?: string;
  @ApiPropertyOptional({
    description: 'What comes near it goes first.',
    maxLength: 2000,
    example: 'who asked for prices',
  })
  question?: string;
  @ApiPropertyOptional({ enum: GROUPINGS, isArray: true, maxItems: 3, example: ['month'] }) group_by?: string[];
  @ApiPropertyOptional({ type: [QueryAggregate], maxItems: 8 }) aggregate?: QueryAggregate[];
  @ApiPropertyOptional({
    enum: SUMMARIES,
    description: 'Sums up what is found; false, the default, does not. `auto` asks a language model where one is set.',
    example: 'extractive',
  })
  summarize?: string;
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 200,
    description: 'The same as `limit` of the scope. Default: 50.',
    example: 50,
  })
  limit?: number;
  @ApiPropertyOptional({ description: '`next_cursor` of the page before.', maxLength: 500 }) cursor?: string;
  @ApiPropertyOptional({ ...time, example: undefined, description: 'What was the case then. Default: now.' })
  as_of?: string;
  @ApiPropertyOptional({ ...time, example: undefined, description: 'What was recorded by then. Default: now.' })
  known_at?: string;
  @ApiPropertyOptional({ type: 'integer', minimum: 0, description: 'Taken and left out of account.', example: 4000 })
  budget_tokens?: number;
}

/** The answer of POST /v2/query. For a shared name in the scope: `status`, `query`, `count`, `candidates`. */
export class QueryResult {
  @ApiProperty({ ...open, description: 'The scope as it was understood.' }) scope: object;
  @ApiPropertyOptional(open) without?: object;
  @ApiProperty({ enum: ['structured', 'lexical'], description: 'Whether a question ranked.' }) mode: string;
  @ApiProperty({ enum: ['observations', 'entities'] }) return: string;
  @ApiPropertyOptional({ enum: ['facts'] }) corpus?: string;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'What there is of them.', example: 12 }) matched: number;
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 200, example: 12 }) returned: number;
  @ApiProperty({
    description: 'Not all were looked at: the first 2000 are counted, a question is asked of the first 1000.',
    example: false,
  })
  sampled: boolean;
  @ApiProperty(listOf(200, 'Observations, entities or facts.')) items: object[];
  @ApiProperty({ ...open, description: 'Counts `by_type`, `by_source`, and of states `by_value`.' }) rollups: object;
  @ApiPropertyOptional(listOf(500, 'With `group_by` or `aggregate`: `key` and the aggregates, the largest first.'))
  groups?: object[];
  @ApiProperty({ ...open, example: { observations: 12, entities: 4 } }) totals: object;
  @ApiPropertyOptional({
    ...open,
    description: 'With `summarize`: `method`, `text`, `bullets` with the observations they rest on, `period_change`.',
  })
  summary?: object;
  @ApiPropertyOptional({ maxLength: 2000 }) question?: string;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 200, example: 50 }) limit: number;
  @ApiProperty({ example: false }) has_more: boolean;
  @ApiProperty({ type: String, nullable: true, maxLength: 500 }) next_cursor: string | null;
  @ApiProperty({ ...open, description: 'Tokens of the items, times, and with a question how many were `looked_at`.' })
  meta: object;
}
