import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/db/transaction.js';
import { newId } from '#kernel/ids.js';
import { PluginUsageService } from '#plugin-host/host/plugin-usage.service.js';
import type { ClaimKey } from '../claims/claims.queries.js';

/** The event by which plugins are asked. */
const REFRESH_EVENT = 'fact.refresh_requested';

/** Asks the connected plugins to look facts up anew: to check an address, to enrich a contact. */
@Injectable()
export class RefreshRequestService {
  constructor(private readonly usage: PluginUsageService) {}

  /** Asks with the commit. Empty when the workspace uses no plugin that looks facts up. */
  async request(tx: Tx, { entityId, property }: ClaimKey): Promise<{ readonly job_id?: string }> {
    if (!(await this.usage.hasConsumer(tx, REFRESH_EVENT))) return {};
    const job_id = newId();
    tx.emit({ type: REFRESH_EVENT, payload: { job_id, entity_id: entityId, property } });
    return { job_id };
  }
}
