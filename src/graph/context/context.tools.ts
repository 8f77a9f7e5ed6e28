import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { INTENTS, LEAST_BUDGET, MOST_BUDGET } from '#domain/context/intents.js';
import { parseInstant } from '#domain/time/instant.js';
import type { CoreToolContext } from '#kernel/mcp/tool.context.js';
import type { Ambiguous } from '../identity/finder.service.js';
import { MAX_TASK } from './context.dto.js';
import { contextRequestOf, PARTS } from './context-request.js';
import { ContextService } from './context.service.js';
import type { ShownContext } from './shown-context.js';

const instant = z.string().refine(text => parseInstant(text) !== undefined, 'must be an ISO 8601 date or time');

const input = z.strictObject({
  focus: z.string().min(1).max(320).describe('e-mail, domain, LinkedIn URL, entity id or name'),
  intent: z.enum(INTENTS).default('account_review').describe('presets budget and what matters'),
  task: z.string().max(MAX_TASK).optional().describe('what it is for, in your own words'),
  budget_tokens: z.number().int().min(LEAST_BUDGET).max(MOST_BUDGET).optional().describe('tokens of the text'),
  include: z.array(z.enum(PARTS)).max(5).optional().describe('default: all'),
  min_confidence: z.number().min(0).max(1).default(0).describe('leaves out claims less sure than this'),
  as_of: instant.optional().describe('what was the case then, ISO 8601; default now'),
  known_at: instant.optional().describe('what had been recorded by then, ISO 8601; default now'),
  explain: z.boolean().default(false).describe('why each item was chosen'),
});

/** Both answers in one shape: context, or the candidates of a name. */
const output = z.looseObject({
  entity: z.looseObject({ id: z.string(), type: z.string() }).optional(),
  summary: z.string().optional(),
  text: z.string().optional(),
  claims: z.array(z.looseObject({ property: z.string(), value: z.unknown(), confidence: z.number() })).optional(),
  timeline: z.array(z.looseObject({ when: z.string(), type: z.string(), tier: z.string() })).optional(),
  documents: z.array(z.looseObject({ title: z.string(), snippet: z.string() })).optional(),
  gaps: z.array(z.string()).optional(),
  safe_to_use: z.array(z.string()).optional(),
  status: z.literal('ambiguous').optional(),
  candidates: z.array(z.looseObject({ entity_id: z.string(), name: z.string(), detail: z.string() })).optional(),
});

/** Context, for agents. */
@Injectable()
export class ContextTools {
  constructor(private readonly contexts: ContextService) {}

  /** The same as POST /v2/context. */
  @McpTool({
    name: 'get_context',
    title: 'Get context',
    description:
      'What is worth knowing of one person or company before you write, call or meet: ranked claims, what happened, ' +
      'notes and the people around, within a budget, with a ready text. Act only on claims in safe_to_use; gaps names ' +
      'what nobody knows. A name that several bear returns status "ambiguous" with candidates: call again with the ' +
      'entity_id of one. Do not use it for the whole record of an account: use get_account.\n' +
      'Example: {"focus":"ada@acme.com","intent":"draft_email","task":"answer her question about pricing"}',
    input,
    output,
    scopes: ['read'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    trim: ['items', 'workspace', 'stakeholders', 'timeline', 'documents', 'facts', 'claims'],
  })
  read(request: z.output<typeof input>, { caller }: CoreToolContext): Promise<ShownContext | Ambiguous> {
    return this.contexts.read(caller.workspaceId, contextRequestOf(request));
  }
}
