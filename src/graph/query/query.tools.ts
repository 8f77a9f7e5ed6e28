import { HubError } from '#kernel/errors/hub-error.js';
import { type PresentedCandidate, withNextCall } from '../identity/entity-resolver.service.js';
import type { QueryItem } from './query.presenter.js';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { AGGREGATES, GROUPINGS, SUMMARIES } from '#domain/query/query.js';
import { detail, trimToDetail } from '#kernel/mcp/output-budget.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { readQuery } from './query-request.js';
import { QueryService } from './query.service.js';
import { MAX_SEARCH_LENGTH, SearchService } from '../search/search.service.js';

/** Fields of a query that have a meaning for a search by name. */
const SEARCH_FIELDS = new Set(['scope', 'return']);

/**
 * Rejects an empty search, and what a search by name would ignore. Of the scope it uses only `limit`.
 * @throws HubError `invalid_request` naming the field.
 */
export function rejectBesideSearch(search: string, body: Readonly<Record<string, unknown>>): void {
  if (search.trim() === '')
    throw HubError.invalidRequest([{ field: 'search', message: 'search must be a name, or a part of one.' }]);
  const scope = (body['scope'] ?? {}) as Readonly<Record<string, unknown>>;
  const given = [
    ...Object.keys(body).filter(name => !SEARCH_FIELDS.has(name) && body[name] !== undefined),
    ...Object.keys(scope).flatMap(name => (name === 'limit' || scope[name] === undefined ? [] : [`scope.${name}`])),
    ...(body['return'] === 'observations' ? ['return'] : []),
  ];
  if (given.length === 0) return;
  const message = 'search finds people and companies by name alone. Leave this field out, or send it without search.';
  throw HubError.invalidRequest(given.map(field => ({ field, message })));
}

/** Returns a match of a search as an item of a query. */
export function presentFoundEntity({ type, name, ...candidate }: PresentedCandidate): QueryItem {
  const { entity_id, matched_on, ...rest } = candidate;
  return { entity_id, entity_type: type, entity_name: name, matched_on, ...rest };
}

const where = {
  kind: z.enum(['event', 'state']).optional().describe('Default: both of them.'),
  property: z.string().max(100).optional().describe('Its prefix, e.g. interaction.email.'),
  source: z.string().max(100).optional().describe('Only this exact source.'),
  entity_id: z.string().max(320).optional().describe('Entity, or company with people.'),
  since_days: z.number().min(0).max(36_500).optional().describe('Only the last N days.'),
  from: z.string().max(40).optional().describe('ISO 8601; meetings by start.'),
  to: z.string().max(40).optional().describe('Exclusive end, ISO 8601.'),
};

const scope = z.strictObject({
  ...where,
  order: z.enum(['desc', 'asc']).optional().describe('desc returns newest first.'),
  limit: z.number().int().min(1).default(20).describe('Items on a page, at most 200.'),
  facts: z.boolean().optional().describe('Query the claims instead.'),
});

const input = z.strictObject({
  search: z.string().max(MAX_SEARCH_LENGTH).optional().describe('Name or part to find.'),
  scope: scope.default({ limit: 20 }).describe('Observations to query, default all.'),
  without: z.strictObject(where).optional().describe('Exclude entities that have these.'),
  filter: z
    .strictObject({
      entity: z.record(z.string(), z.unknown()).optional().describe('Claims to match: {"title":{"$contains":"vp"}}.'),
      observation: z.record(z.string(), z.unknown()).optional().describe('By property, source, value, text.'),
    })
    .optional()
    .describe('Conditions on the matches.'),
  return: z.enum(['observations', 'entities']).optional().describe('What items are, default observations.'),
  question: z.string().max(2000).optional().describe('Rank items by this question.'),
  group_by: z.array(z.enum(GROUPINGS)).max(3).optional().describe('Count per group of these.'),
  aggregate: z
    .array(
      z.strictObject({
        op: z.enum(AGGREGATES).describe('Function to compute per group.'),
        field: z.string().max(100).optional().describe('Path in value, e.g. amount.'),
      }),
    )
    .max(8)
    .optional()
    .describe('Figures per group or overall.'),
  summarize: z
    .union([z.literal(false), z.enum(SUMMARIES)])
    .optional()
    .describe('Add a summary with citations.'),
  cursor: z.string().max(500).optional().describe('next_cursor of the previous page.'),
  detail,
});

/** One schema for both results: a page of items, or the candidates for a name. */
const output = z.looseObject({
  matched: z.number().optional(),
  items: z.array(z.looseObject({})).optional(),
  next_cursor: z.string().nullable().optional(),
});

/** Fields omitted with `detail: brief`: the query itself, and redundant fields of items. */
const OMITTED_IN_BRIEF = ['scope', 'without', 'question', 'meta', 'mode', 'items.*.type', 'items.*.most_recent_type'];

/** Provides the query tool. */
@Injectable()
export class QueryTools {
  constructor(
    private readonly queries: QueryService,
    private readonly searches: SearchService,
  ) {}

  /** Returns the same as POST /v2/query, trimmed to `detail`. */
  @McpTool({
    name: 'query',
    title: 'Query observations',
    description:
      'Finds, counts, groups and summarizes observations or entities, or finds entities by name (`search`). ' +
      'For one use get_account. Returns items and next_cursor.\n' +
      'Example: {"scope":{"property":"interaction.email_sent"},' +
      '"without":{"property":"interaction.email_replied"},"return":"entities"}',
    input,
    output,
    scopes: ['read'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    trim: ['items', 'groups'],
  })
  async run({ detail: level, search, ...body }: z.output<typeof input>, { caller }: CoreToolContext) {
    if (search !== undefined) {
      rejectBesideSearch(search, body);
      const { hits, query, count, has_more } = await this.searches.search(caller.workspaceId, {
        q: search,
        limit: body.scope.limit,
      });
      return { search: query, return: 'entities', matched: count, has_more, items: hits.map(presentFoundEntity) };
    }
    const found = await this.queries.run(caller.workspaceId, readQuery(body, Date.now() * 1000));
    return trimToDetail(withNextCall(found, 'query', 'scope.entity_id'), level, OMITTED_IN_BRIEF);
  }
}
