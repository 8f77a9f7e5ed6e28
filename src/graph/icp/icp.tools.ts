import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import type { RawRule } from '#domain/icp/compose-model.js';
import { MAX_RULES } from '#domain/score/parse-model.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { SETS } from '#kernel/mcp/tool-schema.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { dryRunField, storableText } from '#kernel/mcp/argument-problems.js';
import { toIcpInput, MAX_DESCRIPTION_LENGTH, MAX_EXAMPLES } from './icp.dto.js';
import { type IcpModelResponse, IcpService } from './icp.service.js';

const customers = z.array(z.string().max(2048)).max(MAX_EXAMPLES).optional();

const input = z.strictObject({
  description: storableText(MAX_DESCRIPTION_LENGTH)
    .min(1)
    .optional()
    .describe('Ideal customer in words. Default: the section icp.'),
  examples: customers.describe('Won customers: domain, e-mail or ID.'),
  lost: customers.describe('Lost customers, to learn contrasts.'),
  rules: z
    .array(z.record(z.string(), z.unknown()))
    .max(MAX_RULES)
    .optional()
    .describe('Explicit rules: {property, op, value, weight}.'),
  force: z.boolean().optional().describe('Replace an existing model.'),
  dry_run: dryRunField,
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
      'Builds the scoring model of score from a description, customers or rules. Preview it with dry_run and show the ' +
      'user first. Returns the rules, coverage_on_current_leads and warnings.\n' +
      'Example: {"description":"Software companies, 50 to 500 employees. No agencies.","dry_run":true}',
    input,
    output,
    scopes: ['settings'],
    annotations: SETS,
  })
  async build(request: z.output<typeof input>, { caller, idempotencyKey }: CoreToolContext): Promise<IcpModelResponse> {
    const key = toIdempotencyKey(idempotencyKey, 'build_icp_model', request);
    const model = toIcpInput({ ...request, rules: request.rules as RawRule[] | undefined });
    return (await this.models.build(caller, model, key)).body;
  }
}
