import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { AGGREGATES, GROUPINGS, SUMMARIES } from '#domain/query/query.js';
import { detail, trimToDetail } from '#kernel/mcp/detail.js';
import type { CoreToolContext } from '#kernel/mcp/tool-context.js';
import { candidates } from '#kernel/mcp/tool-fields.js';
import { withNextCall } from '../identity/entity-resolver.service.js';
import { MAX_QUERY_LIMIT, readQuery } from './query-request.js';
import { QueryService } from './query.service.js';

const where = {
  kind: z.enum(['event', 'state']).optional(),
  property: z.string().max(100).optional().describe('beginning of it, e.g. interaction.email'),
  source: z.string().max(100).optional(),
  entity_id: z.string().max(320).optional().describe('as focus elsewhere; a company with its people'),
  since_days: z.number().min(0).max(36_500).optional(),
  from: z.string().max(40).optional().describe('ISO 8601; meetings count by their start'),
  to: z.string().max(40).optional(),
};

/** The fields of `where` with fewer descriptions, to keep the schema short. */
const without = z.strictObject({
  kind: where.kind,
  property: z.string().max(100).optional(),
  source: where.source,
  entity_id: z.string().max(320).optional(),
  since_days: where.since_days,
  from: z.string().max(40).optional(),
  to: where.to,
});

const scope = z.strictObject({
  ...where,
  order: z.enum(['desc', 'asc']).optional().describe('newest first, or oldest'),
  limit: z.number().int().min(1).max(MAX_QUERY_LIMIT).default(20),
  facts: z.boolean().optional().describe('claims, as sentences'),
});

const input = z.strictObject({
  scope: scope.default({ limit: 20 }).describe('which observations'),
  without: without.optional().describe('leaves out entities that have these'),
  filter: z
    .strictObject({
      entity: z.record(z.string(), z.unknown()).optional().describe('{"title":{"$contains":"vp"}}'),
      observation: z.record(z.string(), z.unknown()).optional().describe('property, source, value, text'),
    })
    .optional(),
  return: z.enum(['observations', 'entities']).optional(),
  question: z.string().max(2000).optional().describe('ranks by nearness'),
  group_by: z.array(z.enum(GROUPINGS)).max(3).optional(),
  aggregate: z
    .array(z.strictObject({ op: z.enum(AGGREGATES), field: z.string().max(100).optional() }))
    .max(8)
    .optional(),
  summarize: z
    .union([z.literal(false), z.enum(SUMMARIES)])
    .optional()
    .describe('sums up, with citations'),
  cursor: z.string().max(500).optional().describe('next_cursor'),
  detail,
});

/** One schema for both results: a page of items, or the candidates for a name. */
const output = z.looseObject({
  matched: z.number().optional(),
  items: z.array(z.looseObject({})).optional(),
  next_cursor: z.string().nullable().optional(),
  status: z.literal('ambiguous').optional(),
  candidates,
});

/** Fields omitted with `detail: brief`: the query itself, and redundant fields of items. */
const OMITTED_IN_BRIEF = ['scope', 'without', 'question', 'meta', 'mode', 'items.*.type', 'items.*.most_recent_type'];

/** Provides the query tool. */
@Injectable()
export class QueryTools {
  constructor(private readonly queries: QueryService) {}

  /** Returns the same as POST /v2/query, trimmed to `detail`. */
  @McpTool({
    name: 'query',
    title: 'Query observations',
    description:
      'Finds what happened or was stated across people and companies, by property, source, time or question; counts, ' +
      'groups, sums up. return "entities" tells whose, without leaves out who has something else, filter narrows by ' +
      'facts. For one person or company use get_account.\n' +
      'Example: {"scope":{"property":"interaction.email_sent","since_days":14},' +
      '"without":{"property":"interaction.email_replied"},"return":"entities"}',
    input,
    output,
    scopes: ['read'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    trim: ['items', 'groups'],
  })
  async run({ detail: level, ...body }: z.output<typeof input>, { caller }: CoreToolContext) {
    const found = await this.queries.run(caller.workspaceId, readQuery(body, Date.now() * 1000));
    return trimToDetail(withNextCall(found, 'query', 'scope.entity_id'), level, OMITTED_IN_BRIEF);
  }
}
