import { ApiExtraModels, ApiProperty, ApiPropertyOptional, OmitType, getSchemaPath } from '@nestjs/swagger';
import { AGGREGATES, GROUPINGS, SUMMARIES } from '#domain/query/query.js';
import {
  AppliedScopeDto,
  QueryEntityDto,
  QueryFactDto,
  QueryMetaDto,
  QueryObservationDto,
  QueryRollupsDto,
  QuerySummaryDto,
  QueryTotalsDto,
} from './query-items.dto.js';
import { focusProperty } from '../identity/focus.dto.js';

const time = { format: 'date-time', example: '2026-11-01T00:00:00Z' } as const;
const open = { type: 'object', additionalProperties: true } as const;

/** Which observations are meant. */
export class QueryScope {
  @ApiPropertyOptional({
    description: 'Restricts the query to events or to states. Default: both.',
    enum: ['event', 'state'],
    example: 'event',
  })
  kind?: string;
  @ApiPropertyOptional({
    description: 'Prefix of the property, such as `interaction.email`. Aliases of properties and events are accepted.',
    maxLength: 100,
    example: 'interaction.email',
  })
  property?: string;
  @ApiPropertyOptional({ description: 'Restricts the query to this exact source.', maxLength: 100, example: 'agent' })
  source?: string;
  @ApiPropertyOptional(
    focusProperty(
      'Restricts the query to one entity: UUID, e-mail address, domain, LinkedIn URL or name. A company ' +
        'includes its people.',
    ),
  )
  entity_id?: string;
  @ApiPropertyOptional({
    minimum: 0,
    maximum: 36500,
    description: 'Only observations of the last this many days.',
    example: 30,
  })
  since_days?: number;
  @ApiPropertyOptional({
    ...time,
    description: 'Only observations at or after this time, ISO 8601. Meetings count by their start.',
  })
  from?: string;
  @ApiPropertyOptional({
    ...time,
    example: '2026-12-01T00:00:00Z',
    description: 'Only observations before this time, ISO 8601. Meetings count by their start.',
  })
  to?: string;
  @ApiPropertyOptional({
    description: 'Order by time: `desc` returns the newest first.',
    enum: ['desc', 'asc'],
    default: 'desc',
    example: 'desc',
  })
  order?: string;
  @ApiPropertyOptional({
    description: 'Maximum number of items on a page.',
    type: 'integer',
    minimum: 1,
    maximum: 200,
    default: 50,
    example: 50,
  })
  limit?: number;
  @ApiPropertyOptional({
    default: false,
    description: 'Set to true to query the current claims, as sentences, instead of observations.',
    example: false,
  })
  facts?: boolean;
}

/** Observations whose entities are excluded. */
export class QueryExclusionDto extends OmitType(QueryScope, ['order', 'limit', 'facts'] as const) {}

/** Further conditions. */
export class QueryFilter {
  @ApiPropertyOptional({
    ...open,
    description:
      'Conditions on the entities, with the same syntax as `filter` of `GET /v2/people`. `type` is `person` ' +
      'or `company`.',
    example: { title: { $contains: 'vp' } },
  })
  entity?: object;
  @ApiPropertyOptional({
    ...open,
    description:
      'Conditions on the observations: `kind`, `property` and `source` (lists), `value` (exact match), ' +
      '`text` (contained in the value), `since` and `until`.',
    example: { text: 'pricing' },
  })
  observation?: object;
}

/** One aggregate. */
export class QueryAggregate {
  @ApiProperty({
    description: 'Aggregate function. All but `count` and `distinct_entities` read `field`.',
    enum: AGGREGATES,
    example: 'sum',
  })
  op: string;
  @ApiPropertyOptional({
    description: 'Path in the value of the observation, such as `amount`. Default: the value itself.',
    maxLength: 100,
    example: 'amount',
  })
  field?: string;
}

/** The body of POST /v2/query. */
export class QueryRequest {
  @ApiPropertyOptional({ type: QueryScope, description: 'Which observations to query. Default: all.' })
  scope?: QueryScope;
  @ApiPropertyOptional({
    type: QueryExclusionDto,
    description: 'Excludes entities that have any observation matching this scope.',
  })
  without?: QueryExclusionDto;
  @ApiPropertyOptional({ description: 'Further conditions on entities and observations.', type: QueryFilter })
  filter?: QueryFilter;
  @ApiPropertyOptional({
    description: 'Whether to return the matching observations or the entities they belong to.',
    enum: ['observations', 'entities'],
    default: 'observations',
    example: 'observations',
  })
  return?: string;
  @ApiPropertyOptional({
    description: 'Question in plain words. Ranks the items by how well they answer it.',
    maxLength: 2000,
    example: 'who asked for prices',
  })
  question?: string;
  @ApiPropertyOptional({
    description: 'Up to three dimensions to group by.',
    enum: GROUPINGS,
    isArray: true,
    maxItems: 3,
    example: ['month'],
  })
  group_by?: string[];
  @ApiPropertyOptional({
    description: 'Up to eight aggregates, computed per group or over all matches.',
    type: [QueryAggregate],
    maxItems: 8,
  })
  aggregate?: QueryAggregate[];
  @ApiPropertyOptional({
    enum: SUMMARIES,
    description:
      'Adds a summary of the matches: `extractive` quotes them, `llm` uses the configured language model, ' +
      '`auto` uses it if one is configured. Default: no summary.',
    example: 'extractive',
  })
  summarize?: string;
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 200,
    description: 'Alias of `scope.limit`. Default: 50.',
    example: 50,
  })
  limit?: number;
  @ApiPropertyOptional({
    description: '`next_cursor` of the previous page, with an otherwise unchanged request.',
    maxLength: 500,
  })
  cursor?: string;
  @ApiPropertyOptional({
    ...time,
    example: undefined,
    description: 'Use facts as they were in effect at this time, ISO 8601. Default: now.',
  })
  as_of?: string;
  @ApiPropertyOptional({
    ...time,
    example: undefined,
    description: 'Use only what had been recorded by this time, ISO 8601. Default: now.',
  })
  known_at?: string;
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 1_000_000,
    description: 'Accepted for compatibility; ignored.',
    example: 4000,
  })
  budget_tokens?: number;
}

/** Response of POST /v2/query. */
@ApiExtraModels(QueryObservationDto, QueryEntityDto, QueryFactDto)
export class QueryResult {
  @ApiProperty({ type: AppliedScopeDto, description: 'Scope as it was applied, with defaults and canonical names.' })
  scope: AppliedScopeDto;
  @ApiPropertyOptional({
    type: AppliedScopeDto,
    description: 'Exclusion as it was applied. Omitted if the request has none.',
  })
  without?: AppliedScopeDto;
  @ApiProperty({
    enum: ['structured', 'lexical'],
    description: '`lexical` if a question ranked the items, else `structured`.',
  })
  mode: string;
  @ApiProperty({
    description: 'Whether `items` contains observations or entities.',
    enum: ['observations', 'entities'],
  })
  return: string;
  @ApiPropertyOptional({ description: '`facts` if the query ran over claims; omitted otherwise.', enum: ['facts'] })
  corpus?: string;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of matches, counted up to 2000.', example: 12 })
  matched: number;
  @ApiProperty({ description: 'Number of items on this page.', type: 'integer', minimum: 0, maximum: 200, example: 12 })
  returned: number;
  @ApiProperty({
    description:
      'Whether there were more matches than were examined: the first 2000 are counted, and a question ranks ' +
      'the first 1000.',
    example: false,
  })
  sampled: boolean;
  @ApiProperty({
    type: 'array',
    items: {
      oneOf: [
        { $ref: getSchemaPath(QueryObservationDto) },
        { $ref: getSchemaPath(QueryEntityDto) },
        { $ref: getSchemaPath(QueryFactDto) },
      ],
    },
    maxItems: 200,
    description: 'Matching observations, entities or facts.',
  })
  items: (QueryObservationDto | QueryEntityDto | QueryFactDto)[];
  @ApiProperty({ type: QueryRollupsDto, description: 'Counts over all matches.' }) rollups: QueryRollupsDto;
  @ApiPropertyOptional({
    type: 'array',
    items: {
      type: 'object',
      required: ['key'],
      properties: {
        key: { type: 'object', additionalProperties: {}, description: 'Value of each dimension of `group_by`.' },
      },
      additionalProperties: {
        description: 'Aggregate under the name of its function, with the path of its field if it has one.',
      },
    },
    maxItems: 500,
    description: 'One entry per group, largest first. Only with `group_by` or `aggregate`.',
  })
  groups?: object[];
  @ApiProperty({
    type: QueryTotalsDto,
    description: 'Number of matching observations and of the entities they belong to.',
  })
  totals: QueryTotalsDto;
  @ApiPropertyOptional({ type: QuerySummaryDto, description: 'Summary of the matches. Only with `summarize`.' })
  summary?: QuerySummaryDto;
  @ApiPropertyOptional({
    description: 'Question from the request, echoed. Omitted if there was none.',
    maxLength: 2000,
  })
  question?: string;
  @ApiProperty({
    description: 'Maximum number of items on a page.',
    type: 'integer',
    minimum: 1,
    maximum: 200,
    example: 50,
  })
  limit: number;
  @ApiProperty({ description: 'Whether another page exists.', example: false }) has_more: boolean;
  @ApiProperty({
    description: 'Cursor of the next page. Null on the last page.',
    type: String,
    nullable: true,
    maxLength: 500,
  })
  next_cursor: string | null;
  @ApiProperty({
    type: QueryMetaDto,
    description: 'Token estimate, times and, with a question, how many observations were ranked.',
  })
  meta: QueryMetaDto;
}
