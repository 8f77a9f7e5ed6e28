import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { SETS } from '#kernel/mcp/tool-schema.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { dryRunField } from '#kernel/mcp/argument-problems.js';
import {
  HYGIENE_CADENCES,
  CREATE_TRIGGERS,
  type CrmSyncUpdateResult,
  SYNC_DIRECTIONS,
  SYNC_STARTS,
} from './crm-sync.dto.js';
import { CrmSyncService } from './crm-sync.service.js';

const optionalFlag = z.boolean().optional();

const input = z.strictObject({
  provider: z.string().min(1).max(60).describe('hubspot or pipedrive …'),
  direction: z.enum(SYNC_DIRECTIONS).optional().describe('pull reads from the CRM.'),
  field_map: z.record(z.string(), z.unknown()).optional().describe('Property to CRM field.'),
  filters: z.record(z.string(), z.unknown()).optional().describe('Conditions for its records.'),
  autoSync: optionalFlag.describe('Sync on a schedule.'),
  pushActivities: optionalFlag.describe('Write activities to it.'),
  createInCrm: optionalFlag.describe('Create missing contacts there.'),
  createTrigger: z.enum(CREATE_TRIGGERS).optional().describe('What must come first.'),
  createRequireIcpFit: optionalFlag.describe('Only contacts that fit.'),
  createIcpThreshold: z.number().int().min(0).max(100).optional().describe('Minimum Fit for that.'),
  hygieneEnabled: optionalFlag.describe('Propose clean-ups of it.'),
  hygieneCadence: z.enum(HYGIENE_CADENCES).optional().describe('How often they come.'),
  startSync: z.enum(SYNC_STARTS).optional().describe('Start a sync too.'),
  dry_run: dryRunField,
});

const output = z.looseObject({
  ok: z.boolean(),
  dry_run_diff: z.array(z.looseObject({})),
});

/** MCP tools for CRM synchronization. */
@Injectable()
export class CrmSyncTools {
  constructor(private readonly crmSync: CrmSyncService) {}

  /** Calls the operation POST /v2/workspace/crm-sync. */
  @McpTool({
    name: 'configure_crm_sync',
    title: 'Configure CRM sync',
    description:
      'Updates the settings of the CRM that connect_integration connected; others stay. Preview with dry_run; ' +
      'ask before a CRM is written to. Returns dry_run_diff and last_run.\n' +
      'Example: {"provider":"hubspot","startSync":"dry_run"}',
    input,
    output,
    scopes: ['settings'],
    minPlan: 'growth',
    annotations: { ...SETS, openWorldHint: true },
  })
  async change(
    request: z.output<typeof input>,
    { caller, idempotencyKey }: CoreToolContext,
  ): Promise<CrmSyncUpdateResult> {
    const key = toIdempotencyKey(idempotencyKey, 'configure_crm_sync', request);
    return (await this.crmSync.change(caller, Object.fromEntries(Object.entries(request).map(toSnakeCase)), key)).body;
  }
}

/** Converts the name of a setting, which clients write in camel case. */
function toSnakeCase([name, value]: [string, unknown]): [string, unknown] {
  return [name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`), value];
}
