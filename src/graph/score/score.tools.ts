import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { detail, trimToDetail } from '#kernel/mcp/output-budget.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { dryRunField } from '#kernel/mcp/argument-problems.js';
import { withNextCall } from '../identity/entity-resolver.service.js';
import { MAX_LEADS, MAX_IDENTIFIERS, readScoreRequest } from './score-request.js';
import { ScoreService } from './score.service.js';
import type { ScoreResponse, ScoreListResponse } from './score.presenter.js';

const attributes = z.record(z.string(), z.unknown());

const input = z.strictObject({
  identifier: z.string().max(2048).optional().describe('E-mail, domain, LinkedIn URL, ID or name.'),
  identifiers: z
    .array(z.string().max(2048))
    .min(1)
    .max(MAX_IDENTIFIERS)
    .optional()
    .describe('Several of these, in order.'),
  lead_id: z.string().max(36).optional().describe('Lead in a lead list.'),
  attributes: attributes.optional().describe('Facts of a new lead: title, company …'),
  leads: z.array(attributes).min(1).max(MAX_LEADS).optional().describe('Several of these; ref is echoed.'),
  explain: z.boolean().optional().describe('Add reasons, with detail full.'),
  as_of: z.string().max(40).optional().describe('Facts in effect then, ISO 8601.'),
  dry_run: dryRunField,
  intent: z.string().max(500).optional().describe('Ignored; for compatibility only.'),
  detail,
});

/** One score, or `results` for many. */
const output = z.looseObject({
  resolved: z.boolean().optional(),
  reason: z.string().optional(),
  play: z.string().optional(),
  priority: z.number().nullable().optional(),
  missing: z.array(z.looseObject({ property: z.string() })).optional(),
  results: z.array(z.looseObject({})).optional(),
});

/** Fields omitted with `detail: brief`: the reasons per rule, which `icp.reason` summarizes. */
const OMITTED_IN_BRIEF = ['layers.*.reasons', 'layers.*.missing', 'flags', 'play_rule', 'persisted'];

/** Provides the score tool. */
@Injectable()
export class ScoreTools {
  constructor(private readonly scores: ScoreService) {}

  /** Returns the same as POST /v2/score, trimmed to `detail`. */
  @McpTool({
    name: 'score',
    title: 'Score leads',
    description:
      'Scores a lead on Fit, Pain, Intent and Ability; a layer without evidence is unknown, never 0. Use it to ' +
      'prioritize; for facts use get_account. Send exactly one of identifier, identifiers, lead_id (all recorded), ' +
      'attributes or leads (not recorded). Returns play, priority and missing, what to find out next.\n' +
      'Example: {"identifier":"ada@acme.com"}',
    input,
    output,
    scopes: ['read'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    trim: ['results', 'missing'],
  })
  async score(
    request: z.output<typeof input>,
    { caller, idempotencyKey }: CoreToolContext,
  ): Promise<ScoreResponse | ScoreListResponse> {
    const { detail: level, ...body } = request;
    const key = toIdempotencyKey(idempotencyKey, 'score', body);
    const result = (await this.scores.score(caller, readScoreRequest(body), key)).body;
    return trimToDetail(
      withNextCall(result, 'score', 'identifier'),
      level,
      'results' in result ? OMITTED_IN_BRIEF.map(path => `results.*.${path}`) : OMITTED_IN_BRIEF,
    );
  }
}
