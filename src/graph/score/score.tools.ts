import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { detail, trimToDetail } from '#kernel/mcp/detail.js';
import type { CoreToolContext } from '#kernel/mcp/tool-context.js';
import { withNextCall } from '../identity/entity-resolver.service.js';
import { MAX_LEADS } from './inline-request.js';
import { ScoreService } from './score.service.js';
import { MAX_IDENTIFIERS, readScoreRequest } from './score-request.js';
import type { ScoreResponse, ScoreListResponse } from './score.presenter.js';

const attributes = z.record(z.string(), z.unknown());

const input = z.strictObject({
  identifier: z.string().max(2048).optional().describe('e-mail, domain, LinkedIn URL, id or name'),
  identifiers: z.array(z.string().max(2048)).min(1).max(MAX_IDENTIFIERS).optional().describe('many of them'),
  lead_id: z.string().max(36).optional().describe('id of a lead in a list'),
  attributes: attributes.optional().describe('not in the graph: title, company, keywords …'),
  leads: z.array(attributes).min(1).max(MAX_LEADS).optional().describe('many of them; ref is echoed'),
  explain: z.boolean().optional().describe('reasons; with detail full'),
  as_of: z.string().max(40).optional().describe('ISO 8601; writes nothing'),
  dry_run: z.boolean().optional(),
  intent: z.string().max(500).optional().describe('not used'),
  detail,
});

/** One score, or `results` for many. */
const output = z.looseObject({
  resolved: z.boolean().optional(),
  scored: z.boolean().optional(),
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
      'Fit, Pain, Intent and Ability of a lead against our ideal customer, what to find out next (missing) and what to ' +
      'do (play: research, nurture, work now, enrich, suppress). A layer without evidence is unknown, never 0. Send ' +
      'one of identifier, identifiers, lead_id (recorded), attributes, leads (nothing is written). For facts use ' +
      'get_account.\nExample: {"identifier":"ada@acme.com"}',
    input,
    output,
    scopes: ['write'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    trim: ['results', 'missing'],
  })
  async score(
    request: z.output<typeof input>,
    { caller, idempotencyKey }: CoreToolContext,
  ): Promise<ScoreResponse | ScoreListResponse> {
    const { detail: level, ...body } = request;
    const key = toIdempotencyKey(idempotencyKey, 'score', body);
    const result = (await this.scores.score(caller.workspaceId, readScoreRequest(body), key)).body;
    return trimToDetail(
      withNextCall(result, 'score', 'identifier'),
      level,
      'results' in result ? OMITTED_IN_BRIEF.map(path => `results.*.${path}`) : OMITTED_IN_BRIEF,
    );
  }
}
