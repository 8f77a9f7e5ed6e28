import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { BUSINESS_TYPES, PLAN_MODELS } from '#domain/facts/profile.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { READS, SETS } from '#kernel/mcp/tool-schema.js';
import { detail, trimToDetail } from '#kernel/mcp/output-budget.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { dryRunField, storableText } from '#kernel/mcp/argument-problems.js';
import { toFactWrite } from '../facts/facts-request.js';
import { FactsService } from '../facts/facts.service.js';
import type { FactWriteResponse } from '../facts/facts.presenter.js';
import { MAX_ICP_LENGTH, toOnboardingInput } from './onboarding.dto.js';
import { type OnboardingResponse, OnboardingService } from './onboarding.service.js';
import type { WorkspaceStatusResponse } from './status.presenter.js';
import { StatusService } from './status.service.js';

const statusInput = z.strictObject({ detail });

const statusOutput = z.looseObject({
  workspace: z.looseObject({}),
  plan: z.looseObject({ id: z.string() }),
  completeness: z.number(),
  next_steps: z.array(z.looseObject({ how: z.string() })),
});

const profileInput = z.strictObject({
  name: storableText(200).min(1).optional().describe('Name of our company.'),
  website: z.string().max(300).optional().describe('Website of our company.'),
  business_type: z.enum(BUSINESS_TYPES).optional().describe('What the company sells.'),
  plan_model: z.enum(PLAN_MODELS).optional().describe('How its customers start.'),
  default_signup_stage: storableText(80).min(1).optional().describe('Pipeline stage of new sign-ups.'),
  icp: storableText(MAX_ICP_LENGTH).min(1).optional().describe('Ideal customer in words.'),
  section: z.string().max(80).optional().describe('Instead of the above: pricing, competitors, market …'),
  content: z.unknown().optional().describe('Text or JSON of the section.'),
  mode: z.enum(['replace', 'append']).optional().describe('How content is written, default replace.'),
  expected_version: z.number().int().min(0).optional().describe('Fails if another version is current.'),
  supersedes: z.uuid().optional().describe('ID of the fact replaced.'),
  dry_run: dryRunField,
});

const profileOutput = z.looseObject({ ok: z.boolean().optional(), section: z.string().optional() });

/** Fields of a section write, which cannot be combined with profile fields. */
const SECTION_FIELDS = ['section', 'content', 'mode', 'expected_version', 'supersedes'] as const;

/** Provides the tools of workspace status and profile. */
@Injectable()
export class WorkspaceTools {
  constructor(
    private readonly statuses: StatusService,
    private readonly onboarding: OnboardingService,
    private readonly facts: FactsService,
  ) {}

  /** Returns the same as GET /v2/workspace/status, trimmed to `detail`. */
  @McpTool({
    name: 'get_workspace_status',
    title: 'Get workspace status',
    description:
      'Returns plan, contents, connections and next_steps of this workspace. Call it first in a session; for work on ' +
      'leads use attention.\nExample: {}',
    input: statusInput,
    output: statusOutput,
    scopes: ['read'],
    annotations: READS,
  })
  async read(request: z.output<typeof statusInput>, { caller }: CoreToolContext): Promise<WorkspaceStatusResponse> {
    return trimToDetail(await this.statuses.read(caller), request.detail, [
      'setup.gtm_playbook.facts',
      'counts_bounded',
    ]);
  }

  /** Does the same as POST /v2/workspace/onboarding, or with a section as POST /v2/workspace/facts. */
  @McpTool({
    name: 'set_workspace_profile',
    title: 'Set workspace profile',
    description:
      "Updates the workspace's own profile, or one section of its go-to-market facts; omitted fields stay. For facts " +
      'about contacts use record; for a scoring model build_icp_model. Returns version and changed_paths.\n' +
      'Example: {"name":"Acme","website":"acme.com"} or {"section":"pricing","content":"40 EUR"}',
    input: profileInput,
    output: profileOutput,
    scopes: ['settings'],
    annotations: SETS,
  })
  async write(
    request: z.output<typeof profileInput>,
    { caller, idempotencyKey }: CoreToolContext,
  ): Promise<OnboardingResponse | FactWriteResponse> {
    const key = toIdempotencyKey(idempotencyKey, 'set_workspace_profile', request);
    const { section, content, mode, expected_version, supersedes, ...fields } = request;
    if (SECTION_FIELDS.every(name => request[name] === undefined)) {
      return (await this.onboarding.write(caller, toOnboardingInput(fields), key)).body;
    }
    const { dry_run, ...others } = fields;
    const stray = Object.keys(others)[0];
    if (stray !== undefined) throw mixedFieldsError(stray);
    const write = toFactWrite({ section, content, mode, expected_version, supersedes, dry_run });
    return (await this.facts.write(caller.workspaceId, caller.actor, write, key)).body;
  }
}

function mixedFieldsError(field: string): HubError {
  const message = `${field} does not go with a section; send it in a call of its own.`;
  return HubError.invalidRequest([{ field, message }]);
}
