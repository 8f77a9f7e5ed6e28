import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { detail, trimToDetail } from '#kernel/mcp/output-budget.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { toAttentionRequest } from './attention-request.js';
import { AttentionService } from './attention.service.js';
import type { AttentionResponse } from './attention.presenter.js';

const input = z.strictObject({
  limit: z.number().int().min(1).optional().describe('Items per page, default 25, at most 100.'),
  kinds: z.string().max(200).optional().describe('Only these kinds, e.g. going_dark,work_now.'),
  owner: z.string().min(1).max(200).optional().describe('Only subjects of this owner.'),
  cursor: z.string().max(1000).optional().describe('next_cursor of the previous page.'),
  detail,
});

const output = z.looseObject({
  items: z.array(z.looseObject({ kind: z.string(), entity_id: z.string(), what: z.string() })),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

/** Provides the attention tool. */
@Injectable()
export class AttentionTools {
  constructor(private readonly attention: AttentionService) {}

  /** Returns the same as GET /v2/attention, trimmed to `detail`. */
  @McpTool({
    name: 'attention',
    title: 'List attention items',
    description:
      'Lists what needs action across the workspace, most urgent first. For one person or ' +
      'company use get_account. Returns items with kind, subject, reason and suggested action.\n' +
      'Example: {"limit":10}',
    input,
    output,
    scopes: ['read'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    trim: ['items'],
  })
  async read(
    { detail: level, ...query }: z.output<typeof input>,
    { caller }: CoreToolContext,
  ): Promise<AttentionResponse> {
    const page = await this.attention.read(caller.workspaceId, toAttentionRequest(query));
    return trimToDetail(page, level, ['items.*.entity', 'items.*.headline', 'items.*.id', 'items.*.suggested']);
  }
}
