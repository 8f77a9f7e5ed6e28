import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/db/transaction.js';
import { newId } from '#kernel/ids.js';
import { PluginUsageService } from '#plugin-host/host/plugin-usage.service.js';
import type { ClaimKey } from '../claims/claims.queries.js';

/** Event that asks plugins to refresh a fact. */
const REFRESH_EVENT = 'fact.refresh_requested';

/** Requests connected plugins to refresh facts, for example to verify an address or enrich a contact. */
@Injectable()
export class RefreshRequestService {
  constructor(private readonly usage: PluginUsageService) {}

  /** Emits a refresh request with the commit and returns its ID; returns nothing if no connected plugin refreshes facts. */
  async request(tx: Tx, { entityId, property }: ClaimKey): Promise<{ readonly job_id?: string }> {
    if (!(await this.usage.hasConsumer(tx, REFRESH_EVENT))) return {};
    const job_id = newId();
    tx.emit({ type: REFRESH_EVENT, payload: { job_id, entity_id: entityId, property } });
    return { job_id };
  }
}
