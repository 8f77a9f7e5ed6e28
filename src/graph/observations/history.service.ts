import { Injectable } from '@nestjs/common';
import type { StoredObservation } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ClaimKey, KeptClaim } from '../claims/claims.queries.js';
import { type Addition, ClaimsService } from '../claims/claims.service.js';
import { additionsOf, logPropertiesOf } from './claim-additions.js';
import { type Horizon, readHistory, readLog } from './observations.queries.js';

/** Reads the log back as what claims are folded from. */
@Injectable()
export class HistoryService {
  constructor(private readonly claims: ClaimsService) {}

  /** All that was ever stated about these claims, of any member of their clusters. One statement. */
  async additionsTo(tx: Tx, keys: readonly ClaimKey[]): Promise<Addition[]> {
    const wanted = keys.map(key => ({ entityId: key.entityId, logProperties: logPropertiesOf(key.property) }));
    const history = await readHistory(tx, wanted);
    const all = additionsOf(
      [...history].flatMap(([entityId, own]) => own.map(row => ({ ...row, clusterId: entityId }))),
    );
    return all.filter(({ entityId, property }) => keys.some(k => k.entityId === entityId && k.property === property));
  }

  /** These claims, folded from all of their history. */
  async foldedAnew(tx: Tx, keys: readonly ClaimKey[], now: Instant): Promise<KeptClaim[]> {
    return (await this.additionsTo(tx, keys)).map(addition => this.claims.foldAnew(tx.workspace, addition, now));
  }

  /** Every claim of a cluster, by its canonical id, folded from what the log held within a horizon. */
  async foldedAt(tx: Tx, entityId: string, asOf: Instant, horizon: Horizon): Promise<KeptClaim[]> {
    const log = await readLog(tx, entityId, horizon);
    return additionsOf(log.map(row => ({ ...row, clusterId: entityId }))).map(addition =>
      this.claims.foldAnew(tx.workspace, addition, asOf),
    );
  }

  /** The events of a cluster within a horizon. */
  async eventsOf(tx: Tx, entityId: string, horizon: Horizon): Promise<StoredObservation[]> {
    return (await readLog(tx, entityId, horizon)).filter(({ kind }) => kind === 'event');
  }
}
