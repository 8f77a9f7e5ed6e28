import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import type { CoreToolContext } from '#kernel/mcp/tool-context.js';
import { ObservationsService } from '../observations/observations.service.js';
import { readRecordRequest } from '../observations/record-request.js';
import type { RecordResponse } from '../observations/observations.presenter.js';
import type { RecordTextResponse } from './open-text.presenter.js';
import { MAX_EXTERNAL_ID_LENGTH, MAX_QUOTE_LENGTH, MAX_TEXT_LENGTH, readOpenTextInput } from './open-text-request.js';
import { OpenTextService } from './open-text.service.js';

const observation = z.strictObject({
  kind: z.enum(['event', 'state']).describe('event: it happened; state: a fact'),
  property: z.string().describe('interaction.<type>, e.g. interaction.call_held; or of a fact, e.g. title'),
  value: z.unknown().optional().describe('details, or the value; null = the fact has ended'),
  source: z.string().max(100).optional().describe('default agent'),
  method: z.string().max(100).optional().describe('default api'),
  observed_at: z.string().optional().describe('ISO 8601; default now'),
  external_id: z.string().max(512).optional().describe('its key at the source'),
  raw: z.record(z.string(), z.unknown()).optional(),
  evidence: z.string().min(1).max(MAX_QUOTE_LENGTH).optional().describe('exact words of the text'),
});

const input = z.strictObject({
  focus: z
    .string()
    .max(320)
    .optional()
    .describe('e-mail, domain, LinkedIn URL or id; no bare name. Default: the address in the text'),
  observations: z.array(observation).min(1).max(1000).optional().describe('needed unless there is a text'),
  text: z.string().min(1).max(MAX_TEXT_LENGTH).optional(),
  observed_at: z.string().optional().describe('of the text'),
  source: z.string().max(100).optional().describe('of the text, e.g. email'),
  external_id: z.string().max(MAX_EXTERNAL_ID_LENGTH).optional().describe('of the text'),
  dry_run: z.boolean().optional(),
});

const output = z.looseObject({
  entity_id: z.string().nullable(),
  recorded: z.number().int(),
  claims_recomputed: z.array(z.string()),
  duplicates: z.number().int(),
  needs_review: z.array(z.looseObject({ property: z.string(), why: z.string() })).optional(),
  rejected: z.array(z.looseObject({ span: z.string(), why: z.string() })).optional(),
});

/** Provides the tool that records observations. */
@Injectable()
export class OpenTextTools {
  constructor(
    private readonly observations: ObservationsService,
    private readonly openText: OpenTextService,
  ) {}

  /** Does the same as POST /v2/observations, or with a text or quotes as POST /v2/observations/from-text. */
  @McpTool({
    name: 'record',
    title: 'Record observations',
    description:
      'Appends what you learnt about a person or company and derives the claims anew; the only way to change facts. ' +
      'Makes the entity if need be. Send observations, or text (a reply, a call note) that is kept and read by rules, ' +
      'or both with evidence quoting the text; what cannot be relied on comes back in needs_review. With external_id a ' +
      'retry changes nothing. To look something up use get_account.\n' +
      'Example: {"focus":"ada@acme.com","observations":[{"kind":"state","property":"title","value":"VP Sales"}]}',
    input,
    output,
    scopes: ['write'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    trim: ['observation_ids', 'needs_review', 'observations'],
  })
  async record(
    request: z.output<typeof input>,
    { caller, idempotencyKey }: CoreToolContext,
  ): Promise<RecordResponse | RecordTextResponse> {
    const key = toIdempotencyKey(idempotencyKey, 'record', request);
    if (hasOnlyObservations(request)) {
      return (await this.observations.record(caller.workspaceId, readRecordRequest(request), key)).body;
    }
    return (await this.openText.record(caller.workspaceId, readOpenTextInput(request), key)).body;
  }
}

/** Returns whether a request has focus and observations only, so that it can be batched with concurrent calls. */
function hasOnlyObservations(request: z.output<typeof input>): boolean {
  const { focus, observations, ...others } = request;
  if (focus === undefined || observations === undefined || Object.keys(others).length > 0) return false;
  return observations.every(({ evidence }) => evidence === undefined);
}
