import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { SETS } from '#kernel/mcp/annotations.js';
import type { CoreToolContext } from '#kernel/mcp/tool-context.js';
import { HYGIENE_CADENCES, CREATE_TRIGGERS, type CrmSyncUpdateResult, SYNC_DIRECTIONS } from './crm-sync.dto.js';
import { CrmSyncService } from './crm-sync.service.js';

const optionalFlag = z.boolean().optional();

const input = z.strictObject({
  provider: z.string().min(1).max(60).describe('hubspot, pipedrive, attio …'),
  direction: z.enum(SYNC_DIRECTIONS).optional(),
  field_map: z.record(z.string(), z.unknown()).optional().describe('property: field of the CRM'),
  filters: z.record(z.string(), z.unknown()).optional(),
  autoSync: optionalFlag,
  pushActivities: optionalFlag.describe('write activities to the CRM'),
  createInCrm: optionalFlag.describe('make contacts there'),
  createTrigger: z.enum(CREATE_TRIGGERS).optional(),
  createRequireIcpFit: optionalFlag,
  createIcpThreshold: z.number().int().min(0).max(100).optional(),
  hygieneEnabled: optionalFlag,
  hygieneCadence: z.enum(HYGIENE_CADENCES).optional(),
  dry_run: optionalFlag,
});

const output = z.looseObject({
  ok: z.boolean(),
  sync_id: z.string().nullable(),
  dry_run_diff: z.array(z.looseObject({ setting: z.string() })),
});

/** MCP tools for CRM synchronization. */
@Injectable()
export class CrmSyncTools {
  constructor(private readonly crmSync: CrmSyncService) {}

  /** Calls the operation POST /v2/workspace/crm-sync. */
  @McpTool({
    name: 'configure_crm_sync',
    title: 'Configure the CRM sync',
    description:
      'Sets how the connected CRM is kept in step; what you leave out stays. Returns the settings and what changes. ' +
      'Try it with dry_run and ask the user before anything is written to a CRM. To connect one use ' +
      'connect_integration.\nExample: {"provider":"hubspot","direction":"pull","dry_run":true}',
    input,
    output,
    scopes: ['write'],
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
