import { Injectable } from '@nestjs/common';
import { isDue } from '#domain/claims/fold.js';
import { showClaim } from '#domain/claims/show-claim.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { flatMapYielding } from '#kernel/scheduling/yield.js';
import { type KeptClaim, readStatesOf } from '../claims/claims.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import { HistoryService } from '../observations/history.service.js';
import type { ShownClaim } from './account.js';

/** As of when; undefined is now. */
export interface ReadingTime {
  /** Valid time: what was the case then. */
  readonly asOf?: Instant;
  /** System time: what was known then. */
  readonly knownAt?: Instant;
}

/** The claims of one entity, and the name that they give it. */
export interface EntityClaims {
  /** By property. */
  readonly claims: readonly ShownClaim[];
  readonly name: string | null;
}

/** Reads every claim of an entity, now or as of another time. */
@Injectable()
export class ClaimReader {
  constructor(
    private readonly claims: ClaimsService,
    private readonly history: HistoryService,
  ) {}

  /** @param id canonical. @param history whether claims carry the values that held before. */
  async read(tx: Tx, id: string, time: ReadingTime, history: boolean): Promise<EntityClaims> {
    const now = await tx.now();
    const asOf = time.asOf ?? now;
    const states = await this.statesOf(tx, id, now, time);
    const rules = this.claims.rulesOf(tx.workspace);
    const claims = await flatMapYielding(
      states.toSorted((a, b) => (a.property < b.property ? -1 : 1)),
      ({ property, state }) => {
        const claim = showClaim(rules, property, state, asOf, { history });
        return claim ? [{ entity_id: id, ...claim }] : [];
      },
    );
    return { claims, name: this.claims.namesAmong(states, [], asOf).get(id) ?? null };
  }

  /** The kept states; folded from the log for another time, and where a statement about the future has come due. */
  private async statesOf(tx: Tx, id: string, now: Instant, { asOf, knownAt }: ReadingTime): Promise<KeptClaim[]> {
    const past = asOf !== undefined || knownAt !== undefined;
    if (past) return this.history.foldedAt(tx, id, asOf ?? now, { asOf, knownAt });
    const kept = await readStatesOf(tx, id);
    const due = kept.filter(claim => isDue(claim.state, now));
    if (due.length === 0) return kept;
    const fresh = await this.history.foldedAnew(tx, due, now);
    return [...kept.filter(claim => !due.includes(claim)), ...fresh];
  }
}
