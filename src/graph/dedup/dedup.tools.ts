import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { detail, trimToDetail } from '#kernel/mcp/detail.js';
import type { CoreToolContext } from '#kernel/mcp/tool-context.js';
import { MAX_DEDUP_ROWS, MAX_DEDUP_VALUES, MAX_WINDOW_DAYS, readDedupRequest } from './dedup-request.js';
import { DedupService } from './dedup.service.js';
import type { DedupResponse } from './dedup.presenter.js';

const values = z.array(z.string().max(2048)).max(MAX_DEDUP_VALUES).optional();

const input = z.strictObject({
  rows: z
    .array(z.record(z.string(), z.unknown()))
    .max(MAX_DEDUP_ROWS)
    .optional()
    .describe('{email, linkedin_url, domain, ref}'),
  emails: values,
  linkedin_urls: values,
  domains: values,
  engaged_window_days: z.number().int().min(1).max(MAX_WINDOW_DAYS).optional().describe('default 90'),
  include_lists: z.boolean().optional().describe('whether waiting in a list counts as engaged; default true'),
  exclude_list_id: z.string().max(36).optional().describe('a list that does not count'),
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
    title: 'Tell new contacts from known ones',
    description:
      'Before cold outreach: the class of each row, the first that applies of unsubscribed, bounced (alternate_email ' +
      'may help), engaged, net_new, and why. Write only to net_new. Send rows, or lists of emails, linkedin_urls and ' +
      'domains; names never match. For facts use get_account.\nExample: {"emails":["ada@acme.com"]}',
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
