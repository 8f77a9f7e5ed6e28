import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { detail, trimToDetail } from '#kernel/mcp/output-budget.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { MAX_DEDUP_ROWS, MAX_DEDUP_VALUES, MAX_WINDOW_DAYS, readDedupRequest } from './dedup-request.js';
import { DedupService } from './dedup.service.js';
import type { DedupResponse } from './dedup.presenter.js';

const values = z.array(z.string().max(2048)).max(MAX_DEDUP_VALUES).optional();

const input = z.strictObject({
  rows: z
    .array(z.record(z.string(), z.unknown()))
    .max(MAX_DEDUP_ROWS)
    .optional()
    .describe('Contacts: {email, linkedin_url, domain, ref}.'),
  emails: values.describe('Alternative to rows: addresses.'),
  linkedin_urls: values.describe('Alternative to rows: profiles.'),
  domains: values.describe('Alternative to rows: domains.'),
  engaged_window_days: z.number().int().min(1).max(MAX_WINDOW_DAYS).optional().describe('Days of engaged, default 90.'),
  include_lists: z.boolean().optional().describe('Lists count as engaged, default true.'),
  exclude_list_id: z.string().max(36).optional().describe('Lead list to ignore.'),
  detail,
});

const output = z.looseObject({
  results: z.array(z.looseObject({ index: z.number().int(), outcome: z.string() })),
  summary: z.looseObject({}),
  errors: z.array(z.looseObject({ index: z.number() })),
});

/** Provides the dedup tool. */
@Injectable()
export class DedupTools {
  constructor(private readonly dedups: DedupService) {}

  /** Returns the same as POST /v2/dedup, trimmed to `detail`. */
  @McpTool({
    name: 'dedup',
    title: 'Classify contacts',
    description:
      'Classifies contacts before cold outreach: unsubscribed, bounced, engaged or net_new, the first that applies. ' +
      'Write only to net_new. Send rows or lists of identifiers; names never match. For facts use get_account. ' +
      'Returns outcome and reason per row, alternate_email if bounced.\nExample: {"emails":["ada@acme.com"]}',
    input,
    output,
    scopes: ['read'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    trim: ['results', 'errors'],
  })
  async dedup({ detail: level, ...body }: z.output<typeof input>, { caller }: CoreToolContext): Promise<DedupResponse> {
    const result = await this.dedups.dedup(caller.workspaceId, readDedupRequest(body));
    return trimToDetail(result, level, [
      'results.*.evidence',
      'results.*.lists',
      'results.*.kind',
      'results.*.matched_on',
    ]);
  }
}
