import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { fingerprinted } from '#kernel/idempotency/idempotency-key.js';
import type { CoreToolContext } from '#kernel/mcp/tool.context.js';
import { ObservationsService } from './observations.service.js';
import { readRecordRequest } from './record-request.js';
import type { Recorded } from './recorded.js';

const observation = z.strictObject({
  kind: z.enum(['event', 'state']).describe('event: an interaction that happened; state: a fact'),
  property: z
    .string()
    .describe('event: interaction.<type>, e.g. interaction.call_held; state: a bare name, e.g. title'),
  value: z.unknown().optional().describe('event: object with details; state: the value, null = the fact has ended'),
  source: z.string().max(100).optional().describe('where it comes from; default agent'),
  method: z.string().max(100).optional().describe('how it was captured; default api'),
  observed_at: z.string().optional().describe('when it happened, ISO 8601; default now'),
  external_id: z.string().max(512).optional().describe('key of the source system; the same key is recorded once'),
  raw: z.record(z.string(), z.unknown()).optional().describe('upstream payload, kept as it is'),
});

const input = z.strictObject({
  focus: z.string().max(320).describe('e-mail, domain, LinkedIn URL or entity id; never a bare name'),
  observations: z.array(observation).min(1).max(1000),
});

const output = z.object({
  entity_id: z.string(),
  recorded: z.number().int(),
  claims_recomputed: z.array(z.string()),
  duplicates: z.number().int(),
  conflicts: z.array(z.object({ index: z.number().int(), external_id: z.string(), existing_id: z.string() })),
  observation_ids: z.array(z.string()),
  entity_created: z.boolean(),
  merge: z
    .object({ status: z.enum(['merged', 'proposed']), other_entity_id: z.string(), guards: z.array(z.string()) })
    .optional(),
});

/** Recording, for agents. */
@Injectable()
export class ObservationsTools {
  constructor(private readonly observations: ObservationsService) {}

  /** The same write as POST /v2/observations. */
  @McpTool({
    name: 'record',
    title: 'Record observations',
    description:
      'Appends what you learnt about a person or company and derives the claims anew; the only way to change facts. ' +
      'Makes the entity if nobody has this focus yet. Returns the recomputed properties. Give external_id where the ' +
      'source has an id, so that a retry changes nothing. Do not use it to look something up: use get_account.\n' +
      'Example: {"focus":"ada@acme.com","observations":[{"kind":"state","property":"title","value":"VP Sales"}]}',
    input,
    output,
    scopes: ['write'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    trim: ['observation_ids'],
  })
  async record(request: z.output<typeof input>, { caller, idempotencyKey }: CoreToolContext): Promise<Recorded> {
    const key = fingerprinted(idempotencyKey, 'record', request);
    const recorded = await this.observations.record(caller.workspaceId, readRecordRequest(request), key);
    return recorded.body;
  }
}
