import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import type { RawRule } from '#domain/icp/parse-description.js';
import { MAX_RULES } from '#domain/score/parse-rule.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { SETS } from '#kernel/mcp/annotations.js';
import type { CoreToolContext } from '#kernel/mcp/tool-context.js';
import { storableText } from '#kernel/mcp/tool-fields.js';
import { toIcpInput, MAX_DESCRIPTION_LENGTH, MAX_EXAMPLES } from './icp.dto.js';
import { type IcpModelResponse, IcpService } from './icp.service.js';

const customers = z.array(z.string().max(2048)).max(MAX_EXAMPLES).optional();

const input = z.strictObject({
  description: storableText(MAX_DESCRIPTION_LENGTH).min(1).optional().describe('default: the section icp'),
  examples: customers.describe('won customers'),
  lost: customers,
  rules: z.array(z.record(z.string(), z.unknown())).max(MAX_RULES).optional().describe('{property, op, value, weight}'),
  force: z.boolean().optional().describe('replace the model'),
  dry_run: z.boolean().optional(),
});

const output = z.looseObject({
  icp_model: z.looseObject({}),
  coverage_on_current_leads: z.looseObject({ leads: z.number(), scored: z.number() }),
  warnings: z.array(z.string()),
});

/** Provides the tool that builds the ICP model. */
@Injectable()
export class IcpTools {
  constructor(private readonly models: IcpService) {}

  /** Does the same as POST /v2/workspace/scoring-model. */
  @McpTool({
    name: 'build_icp_model',
    title: 'Build the ICP model',
    description:
      'Makes the rules that score ranks leads by, from words, customers or rules; returns them with ' +
      'coverage_on_current_leads and warnings. Try it with dry_run, show the user, then save.\n' +
      'Example: {"description":"Software companies, 50 to 500 employees. No agencies.","dry_run":true}',
    input,
    output,
    scopes: ['write'],
    annotations: SETS,
  })
  async build(request: z.output<typeof input>, { caller, idempotencyKey }: CoreToolContext): Promise<IcpModelResponse> {
    const key = toIdempotencyKey(idempotencyKey, 'build_icp_model', request);
    const model = toIcpInput({ ...request, rules: request.rules as RawRule[] | undefined });
    return (await this.models.build(caller, model, key)).body;
  }
}
