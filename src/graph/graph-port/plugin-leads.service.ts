import { Injectable } from '@nestjs/common';
import { PermanentError } from '#sdk/errors.js';
import type { AddLeadsOptions, AddLeadsResult, LeadListRef, LeadRow, LeadRowResult } from '#sdk/ports/leads-port.js';
import type { PluginScope } from '#plugin-host/context/plugin-ports.js';
import { MAX_LEAD_ROWS, readAttachInput } from '../leads/add-leads-request.js';
import type { AddLeadResult } from '../leads/leads.presenter.js';
import { LeadsService } from '../leads/leads.service.js';

/** Adds people to lead lists for plugins, by the service of `POST /v2/lead-lists/attach`. */
@Injectable()
export class PluginLeadsService {
  constructor(private readonly leads: LeadsService) {}

  /**
   * Adds existing people to a list and scores them. Publishes no `contact.imported`: writing the people did.
   * @throws PermanentError for more than 1,000 people; HubError `list_not_found`, `invalid_request`
   */
  async add(
    { workspaceId, plugin }: PluginScope,
    list: LeadListRef,
    rows: readonly LeadRow[],
    { source = plugin, dryRun = false }: AddLeadsOptions,
  ): Promise<AddLeadsResult> {
    if (rows.length > MAX_LEAD_ROWS) throw new PermanentError(`One call takes at most ${MAX_LEAD_ROWS} leads.`);
    if (rows.length === 0) return { list_id: 'id' in list ? list.id : null, results: [] };
    const input = await readAttachInput({
      ...('id' in list ? { lead_list_id: list.id } : { name: list.name }),
      source,
      rows: rows.map(({ entity_id, fields = {} }) => ({ entity_id, fields })),
      dry_run: dryRun,
    });
    const columns = [...new Set(rows.flatMap(({ fields = {} }) => Object.keys(fields)))];
    const { body } = await this.leads.add(workspaceId, { ...input, columns, publishImported: false });
    return { list_id: body.list_id, results: body.results.map(toRowResult) };
  }
}

function toRowResult({ lead_id, status, error }: AddLeadResult): LeadRowResult {
  return error ? { error: error.detail ?? error.error } : { lead_id, added: status !== 'duplicate' };
}
