import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { ToolError } from '#sdk/errors.js';
import type { Answered } from '#kernel/idempotency/answered.js';
import { fingerprinted } from '#kernel/idempotency/idempotency-key.js';
import { APPENDS, READS } from '#kernel/mcp/annotations.js';
import { detail, inDetail } from '#kernel/mcp/detail.js';
import type { CoreToolContext } from '#kernel/mcp/tool.context.js';
import { PluginForward } from './plugin-forward.js';
import { listTriggers, setTrigger } from './triggers.js';
import { MAX_EVENT, MAX_EVENTS, MAX_NAME, MAX_URL } from './triggers.dto.js';

const asked = z.strictObject({ detail });
const listed = z.looseObject({ triggers: z.array(z.looseObject({})) });

const trigger = z.strictObject({
  url: z.string().max(MAX_URL),
  events: z.array(z.string().max(MAX_EVENT)).max(MAX_EVENTS).optional().describe('names of available_events'),
  event: z.string().max(MAX_EVENT).optional(),
  name: z.string().min(1).max(MAX_NAME).optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
  dry_run: z.boolean().optional(),
});
const set = z.looseObject({ ok: z.boolean().optional(), dry_run: z.boolean().optional() });

/** What a brief list does without. */
const LEFT_OUT = 'filter headers format created_at updated_at failing_since next_try_at last_success_at'
  .split(' ')
  .map(field => `triggers.*.${field}`);

/** Triggers, for keys with the scope `internal`. */
@Injectable()
export class TriggersTools {
  constructor(private readonly forward: PluginForward) {}

  /** The same as GET /v2/workspace/triggers. */
  @McpTool({
    name: 'list_triggers',
    title: 'List triggers',
    description: 'Addresses that are told of events, and available_events. To add one use set_trigger.\nExample: {}',
    input: asked,
    output: listed,
    scopes: ['read'],
    visibility: 'internal',
    annotations: READS,
    trim: ['triggers'],
  })
  async list({ detail: much }: z.output<typeof asked>, { caller }: CoreToolContext): Promise<unknown> {
    return inDetail(told(await listTriggers(this.forward, caller)), much, LEFT_OUT);
  }

  /** The same as POST /v2/workspace/triggers. */
  @McpTool({
    name: 'set_trigger',
    title: 'Set a trigger',
    description:
      'Has events sent to an address, signed. The secret is in this answer alone. What there is tells list_triggers.\n' +
      'Example: {"url":"https://example.org/hooks","events":["reply.received"]}',
    input: trigger,
    output: set,
    scopes: ['write'],
    visibility: 'internal',
    annotations: { ...APPENDS, openWorldHint: true },
  })
  async set(request: z.output<typeof trigger>, { caller, idempotencyKey }: CoreToolContext): Promise<unknown> {
    const key = fingerprinted(idempotencyKey, 'set_trigger', request);
    return told(await setTrigger(this.forward, caller, request, key));
  }
}

/** A status says over REST that the plugin has refused; a tool has to fail for a model to notice. */
function told({ status, body }: Answered<unknown>): object {
  if (status < 400) return body as object;
  const { error, detail } = body as { error?: unknown; detail?: unknown };
  throw new ToolError([error ?? 'refused', detail].filter(part => typeof part === 'string').join(': '));
}
