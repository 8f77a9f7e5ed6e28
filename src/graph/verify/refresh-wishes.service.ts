import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/db/transaction.js';
import { newId } from '#kernel/ids.js';
import { PluginUses } from '#kernel/plugins/plugin-uses.js';
import type { ClaimKey } from '../claims/claims.queries.js';

/** The event by which plugins are asked. */
const WISH = 'fact.refresh_wanted';

/** Asks the connected plugins to look facts up anew: to check an address, to enrich a contact. */
@Injectable()
export class RefreshWishes {
  constructor(private readonly uses: PluginUses) {}

  /** Asks with the commit. Empty when the workspace uses no plugin that looks facts up. */
  async utter(tx: Tx, { entityId, property }: ClaimKey): Promise<{ readonly job_id?: string }> {
    if (!(await this.uses.anyTakes(tx, WISH))) return {};
    const job_id = newId();
    tx.emit({ type: WISH, payload: { job_id, entity_id: entityId, property } });
    return { job_id };
  }
}
