import { Injectable } from '@nestjs/common';
import type { Cluster } from '#domain/identity/clusters.js';
import { computeActivity } from '#domain/observation/activity.js';
import { MAX_BATCH_OBSERVATIONS } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type StoredClaim, replaceStates } from '../claims/claims.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import { replaceDerivedFields, recomputeCompanies } from '../identity/regrouping.queries.js';
import { groupStatementsByClaim } from './statements-by-claim.js';
import { databaseNow, readLog } from './observations.queries.js';

/** Folds whole clusters from the log after a merge or unmerge. They must be locked. */
@Injectable()
export class ClusterRebuilder {
  constructor(private readonly claims: ClaimsService) {}

  /** Replaces the claims of all members and recomputes names, companies and activity. */
  async rebuild(tx: Tx, clusters: readonly Cluster[]): Promise<void> {
    const horizon = (await databaseNow(tx)) + MAX_BATCH_OBSERVATIONS;
    const folded: StoredClaim[] = [];
    const derived: Parameters<typeof replaceDerivedFields>[1][number][] = [];
    for (const [canonicalId] of clusters) {
      const log = await readLog(tx, canonicalId!, {});
      const additions = groupStatementsByClaim(log.map(row => ({ ...row, clusterId: canonicalId! })));
      const own = additions.map(addition => this.claims.rebuild(tx.workspace, addition, horizon));
      const name = this.claims.deriveNames(own, [], horizon).get(canonicalId!) ?? null;
      derived.push({ id: canonicalId!, name, ...computeActivity(log, horizon) });
      folded.push(...own);
    }
    await replaceStates(tx, this.claims.rulesOf(tx.workspace), clusters.flat(), folded);
    await replaceDerivedFields(tx, derived);
    await recomputeCompanies(tx, clusters);
  }
}
