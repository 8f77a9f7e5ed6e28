import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { ATTENTION_KINDS } from '#domain/attention/attention-item.js';
import { detail, trimToDetail } from '#kernel/mcp/detail.js';
import type { CoreToolContext } from '#kernel/mcp/tool-context.js';
import { toAttentionRequest, MAX_ATTENTION_LIMIT } from './attention-request.js';
import { AttentionService } from './attention.service.js';
import type { AttentionResponse } from './attention.presenter.js';

const input = z.strictObject({
  limit: z.number().int().min(1).max(MAX_ATTENTION_LIMIT).optional().describe('default 25'),
  kinds: z
    .string()
    .max(200)
    .optional()
    .describe(`only these, separated by commas: ${ATTENTION_KINDS.join(', ')}`),
  owner: z.string().min(1).max(200).optional().describe('only those whose owner this is'),
  cursor: z.string().max(1000).optional().describe('next_cursor'),
  detail,
});

const output = z.looseObject({
  items: z.array(z.looseObject({ kind: z.string(), entity_id: z.string(), what: z.string() })),
  meta: z.looseObject({}),
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
    title: 'What wants attention',
    description:
      'What to do next across the workspace, the most urgent first, each with a suggested action. For one person or ' +
      'company use get_account.\nExample: {"limit":10}',
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
