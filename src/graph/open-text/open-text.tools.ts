import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { dryRunField } from '#kernel/mcp/argument-problems.js';
import { ObservationsService } from '../observations/observations.service.js';
import { readRecordRequest } from '../observations/record-call.js';
import type { RecordResponse } from '../observations/observations.presenter.js';
import type { RecordTextResponse } from './open-text.presenter.js';
import { MAX_EXTERNAL_ID_LENGTH, MAX_QUOTE_LENGTH, MAX_TEXT_LENGTH, readOpenTextInput } from './open-text-request.js';
import { OpenTextService } from './open-text.service.js';

const observation = z.strictObject({
  kind: z.enum(['event', 'state']).describe('event: happened; state: a fact.'),
  property: z.string().describe('interaction.<type>, e.g. interaction.call_held, or a fact, e.g. title.'),
  value: z.unknown().optional().describe('Details or value; null ends a fact.'),
  source: z.string().max(100).optional().describe('Origin of it, default agent.'),
  method: z.string().max(100).optional().describe('How captured, default api.'),
  observed_at: z.string().optional().describe('ISO 8601 time, default now.'),
  external_id: z.string().max(512).optional().describe('Deduplication key in source.'),
  raw: z.record(z.string(), z.unknown()).optional().describe('Original payload, stored as is.'),
  evidence: z.string().min(1).max(MAX_QUOTE_LENGTH).optional().describe('Exact quote from text.'),
});

const input = z.strictObject({
  focus: z
    .string()
    .max(320)
    .optional()
    .describe(
      'E-mail, domain, LinkedIn URL, ID, tel:+… or external:<system>:<id>, never a name. Default: the contact in text.',
    ),
  observations: z.array(observation).min(1).max(1000).optional().describe('Required if no text.'),
  text: z.string().min(1).max(MAX_TEXT_LENGTH).optional().describe('Reply or call note to extract from.'),
  observed_at: z.string().optional().describe('Time of text, ISO 8601.'),
  source: z.string().max(100).optional().describe('Origin of text, e.g. email.'),
  external_id: z.string().max(MAX_EXTERNAL_ID_LENGTH).optional().describe('Deduplication key of text.'),
  dry_run: dryRunField,
});

const output = z.looseObject({
  entity_id: z.string().nullable(),
  recorded: z.number().int(),
  claims_recomputed: z.array(z.string()),
  duplicates: z.number().int(),
  needs_review: z.array(z.looseObject({ property: z.string(), why: z.string() })).optional(),
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
      'Records facts and interactions of a person or company, created if unknown, and recomputes claims. To read use ' +
      'get_account. Send observations, a text from which facts are extracted, or ' +
      'both. Returns claims_recomputed; uncertain statements come back in needs_review.\n' +
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
