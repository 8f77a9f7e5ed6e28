import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { ToolError } from '#sdk/errors.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { APPENDS, READS } from '#kernel/mcp/tool-schema.js';
import { detail, trimToDetail } from '#kernel/mcp/output-budget.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { dryRunField } from '#kernel/mcp/argument-problems.js';
import { TriggersService } from './triggers.service.js';
import {
  MAX_EVENT_NAME_LENGTH,
  MAX_TRIGGER_EVENTS,
  MAX_TRIGGER_NAME_LENGTH,
  MAX_TRIGGER_URL_LENGTH,
} from './triggers.dto.js';

const listInput = z.strictObject({ detail });
const listOutput = z.looseObject({ triggers: z.array(z.looseObject({})) });

const setInput = z.strictObject({
  url: z.string().max(MAX_TRIGGER_URL_LENGTH).describe('Public HTTPS address to call.'),
  events: z
    .array(z.string().max(MAX_EVENT_NAME_LENGTH))
    .max(MAX_TRIGGER_EVENTS)
    .optional()
    .describe('Some of the available_events.'),
  event: z.string().max(MAX_EVENT_NAME_LENGTH).optional().describe('One event, instead of events.'),
  name: z.string().min(1).max(MAX_TRIGGER_NAME_LENGTH).optional().describe('Display name for it.'),
  filter: z.record(z.string(), z.unknown()).optional().describe('Conditions on events sent.'),
  dry_run: dryRunField,
});
const setOutput = z.looseObject({ ok: z.boolean().optional(), dry_run: z.boolean().optional() });

/** Fields that a brief list omits. */
const OMITTED_WHEN_BRIEF = 'filter headers format created_at updated_at failing_since next_try_at last_success_at'
  .split(' ')
  .map(field => `triggers.*.${field}`);

/** MCP tools for triggers, for keys with the scope `internal`. */
@Injectable()
export class TriggersTools {
  constructor(private readonly triggers: TriggersService) {}

  /** Calls the operation GET /v2/workspace/triggers. */
  @McpTool({
    name: 'list_triggers',
    title: 'List triggers',
    description: 'Lists the webhook endpoints and available_events. To add one use set_trigger.\nExample: {}',
    input: listInput,
    output: listOutput,
    scopes: ['read'],
    visibility: 'internal',
    annotations: READS,
    trim: ['triggers'],
  })
  async list({ detail: level }: z.output<typeof listInput>, { caller }: CoreToolContext): Promise<unknown> {
    return trimToDetail(toToolResult(await this.triggers.list(caller)), level, OMITTED_WHEN_BRIEF);
  }

  /** Calls the operation POST /v2/workspace/triggers. */
  @McpTool({
    name: 'set_trigger',
    title: 'Set a trigger',
    description:
      'Creates a webhook endpoint that receives signed events. list_triggers shows existing ones. Returns the signing ' +
      'secret, once only.\nExample: {"url":"https://example.org/hooks","events":["reply.received"]}',
    input: setInput,
    output: setOutput,
    scopes: ['settings'],
    visibility: 'internal',
    annotations: { ...APPENDS, openWorldHint: true },
  })
  async set(request: z.output<typeof setInput>, { caller, idempotencyKey }: CoreToolContext): Promise<unknown> {
    const key = toIdempotencyKey(idempotencyKey, 'set_trigger', request);
    return toToolResult(await this.triggers.set(caller, request, key));
  }
}

/** Throws for an error status: REST returns the status, but a model notices only a failed tool call. */
function toToolResult({ status, body }: HandlerResponse<unknown>): object {
  if (status < 400) return body as object;
  const { error, detail } = body as { error?: unknown; detail?: unknown };
  throw new ToolError([error ?? 'refused', detail].filter(part => typeof part === 'string').join(': '));
}
