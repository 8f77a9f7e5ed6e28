import { Injectable } from '@nestjs/common';
import { hasDueStatement } from '#domain/claims/fold.js';
import { toClaim } from '#domain/claims/present-claim.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { flatMapYielding } from '#kernel/scheduling/yield.js';
import { type StoredClaim, readEntityStates } from '../claims/claims.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import { HistoryService } from '../observations/history.service.js';
import type { PresentedClaim } from './accounts.presenter.js';

/** As of when; undefined is now. */
export interface AsOf {
  /** Valid time: what was the case then. */
  readonly asOf?: Instant;
  /** System time: what was known then. */
  readonly knownAt?: Instant;
}

/** The claims of one entity, and the name that they give it. */
export interface EntityClaims {
  /** By property. */
  readonly claims: readonly PresentedClaim[];
  readonly name: string | null;
}

/** Reads every claim of an entity, now or as of another time. */
@Injectable()
export class ClaimReaderService {
  constructor(
    private readonly claims: ClaimsService,
    private readonly history: HistoryService,
  ) {}

  /** @param id canonical. @param history whether claims carry the values that held before. */
  async read(tx: Tx, id: string, time: AsOf, history: boolean): Promise<EntityClaims> {
    const now = await tx.now();
    const asOf = time.asOf ?? now;
    const states = await this.readStates(tx, id, now, time);
    const rules = this.claims.rulesOf(tx.workspace);
    const claims = await flatMapYielding(
      states.toSorted((a, b) => (a.property < b.property ? -1 : 1)),
      ({ property, state }) => {
        const claim = toClaim(rules, property, state, asOf, { history });
        return claim ? [{ entity_id: id, ...claim }] : [];
      },
    );
    return { claims, name: this.claims.deriveNames(states, [], asOf).get(id) ?? null };
  }

  /** The kept states; folded from the log for another time, and where a statement about the future has come due. */
  private async readStates(tx: Tx, id: string, now: Instant, { asOf, knownAt }: AsOf): Promise<StoredClaim[]> {
    const past = asOf !== undefined || knownAt !== undefined;
    if (past) return this.history.rebuildAsOf(tx, id, asOf ?? now, { asOf, knownAt });
    const kept = await readEntityStates(tx, id);
    const due = kept.filter(claim => hasDueStatement(claim.state, now));
    if (due.length === 0) return kept;
    const fresh = await this.history.rebuild(tx, due, now);
    return [...kept.filter(claim => !due.includes(claim)), ...fresh];
  }
}
