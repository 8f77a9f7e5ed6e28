import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { detail, trimToDetail } from '#kernel/mcp/output-budget.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { withNextCall } from '../identity/entity-resolver.service.js';
import { readVerifyRequest } from './verify-request.js';
import { VerifyService } from './verify.service.js';

const input = z.strictObject({
  focus: z.string().max(2048).describe('E-mail, domain, LinkedIn URL, ID or name.'),
  property: z.string().max(200).describe('Property to check, e.g. title.'),
  value: z.unknown().optional().describe('Expected value; null means ended.'),
  as_of: z.string().max(40).optional().describe('Facts in effect then, ISO 8601.'),
  known_at: z.string().max(40).optional().describe('Only what was recorded by then.'),
  detail,
});

/** One schema for both results: the verdict, or the candidates for a name. */
const output = z.looseObject({
  verdict: z.string().optional(),
  safe_to_use: z.boolean().optional(),
  note: z.string().optional(),
});

/** Fields omitted with `detail: brief`: the derivation of the claim. */
const OMITTED_IN_BRIEF = [
  'entity_id',
  'value_type',
  'freshness_score',
  'observation_count',
  'values',
  'trust_version',
].map(field => `after.${field}`);

/** Provides the verify tool. */
@Injectable()
export class VerifyTools {
  constructor(private readonly verification: VerifyService) {}

  /** Returns the same as POST /v2/verify without a refresh, trimmed to `detail`. */
  @McpTool({
    name: 'verify',
    title: 'Verify a fact',
    description:
      'Recomputes one fact from all observations and tells whether it is safe_to_use. Use it before relying on a fact ' +
      'that is not fresh or not above 0.7; to record a finding use record. Returns verdict (confirmed, stale, ' +
      'contested, changed, ended, unknown), the claim and how to make it surer.\n' +
      'Example: {"focus":"ada@acme.com","property":"title","value":"VP Sales"}',
    input,
    output,
    scopes: ['read'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    trim: ['candidates', 'recommended'],
  })
  async verify({ detail: level, ...body }: z.output<typeof input>, { caller }: CoreToolContext) {
    const { body: found } = await this.verification.verify(caller, readVerifyRequest(body));
    return trimToDetail(withNextCall(found, 'verify', 'focus'), level, [
      'before',
      'cached_differs',
      ...OMITTED_IN_BRIEF,
    ]);
  }
}
