import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { detail, trimToDetail } from '#kernel/mcp/detail.js';
import type { CoreToolContext } from '#kernel/mcp/tool-context.js';
import { candidates } from '#kernel/mcp/tool-fields.js';
import { withNextCall } from '../identity/entity-resolver.service.js';
import { readVerifyRequest } from './verify-request.js';
import { VerifyService } from './verify.service.js';

const input = z.strictObject({
  focus: z.string().max(2048).describe('e-mail, domain, LinkedIn URL, entity id or name'),
  property: z.string().max(200).describe('the fact, e.g. title'),
  value: z.unknown().optional().describe('what you believe; null asks whether it has ended'),
  as_of: z.string().max(40).optional().describe('what was the case then'),
  known_at: z.string().max(40).optional().describe('what had been recorded by then'),
  detail,
});

/** One schema for both results: the verdict, or the candidates for a name. */
const output = z.looseObject({
  verdict: z.string().optional(),
  safe_to_use: z.boolean().optional(),
  note: z.string().optional(),
  status: z.literal('ambiguous').optional(),
  candidates,
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
      'Derives one fact anew from all observations: verdict confirmed, stale, contested, changed, ended or unknown, ' +
      'safe_to_use, the claim before and after, and how to make surer. For facts that are not fresh or not above 0.7. ' +
      'Writes nothing; to record what you found use record.\n' +
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
