import { Injectable } from '@nestjs/common';
import { hasDueStatement } from '#domain/claims/fold.js';
import { EMPLOYER_PROPERTY, projectTenure } from '#domain/claims/doubt.js';
import {
  ADDRESS_PROPERTY,
  ADDRESS_STATUS_PROPERTY,
  type AddressStatus,
  listAddressStatuses,
} from '#domain/claims/address-status.js';
import type { PropertyState } from '#domain/claims/property-state.js';
import { toClaim } from '#domain/claims/present-claim.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { flatMapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import { type ClaimKey, type StoredClaim, readEntityStates } from '../claims/claims.queries.js';
import { ClaimsService, groupStatementsByClaim } from '../claims/claims.service.js';
import { HistoryService } from '../observations/history.service.js';
import { readLogs } from '../observations/observations.queries.js';
import type { PresentedClaim } from './accounts.presenter.js';

/** The point in time of a read; undefined means now. */
export interface AsOf {
  /** Valid time: the facts as they were then. */
  readonly asOf?: Instant;
  /** System time: only what had been recorded by then. */
  readonly knownAt?: Instant;
}

/** The claims of an entity, and the name derived from them. */
export interface EntityClaims {
  /** Sorted by property. */
  readonly claims: readonly PresentedClaim[];
  readonly name: string | null;
  /** Statuses of its e-mail addresses, by the key of the address. */
  readonly addressStatuses: ReadonlyMap<string, AddressStatus>;
  /** The states that the claims present, by property. */
  readonly states: ReadonlyMap<string, PropertyState>;
}

/** Reads all claims of an entity, as of now or another time. */
@Injectable()
export class ClaimReaderService {
  constructor(
    private readonly claims: ClaimsService,
    private readonly history: HistoryService,
  ) {}

  /**
   * Returns all claims of an entity.
   * @param id canonical ID.
   * @param history whether claims include their previous values.
   */
  async read(tx: Tx, id: string, time: AsOf, history: boolean): Promise<EntityClaims> {
    const now = await tx.now();
    const asOf = time.asOf ?? now;
    const states = await this.readStates(tx, id, now, time);
    const claims = await this.present(tx.workspace, id, states, asOf, history);
    const byProperty = new Map(states.map(({ property, state }) => [property, state]));
    const email = byProperty.get(ADDRESS_PROPERTY);
    const addressStatuses = listAddressStatuses({ email, status: byProperty.get(ADDRESS_STATUS_PROPERTY) });
    const name = this.claims.deriveNames(states, [], asOf).get(id) ?? null;
    return { claims, name, addressStatuses, states: byProperty };
  }

  /**
   * Returns the claims that entities would have as one, sorted by property. Changes nothing.
   * @param ids canonical IDs
   */
  async readMerged(tx: Tx, ids: readonly string[]): Promise<readonly PresentedClaim[]> {
    const [now, logs] = await Promise.all([tx.now(), readLogs(tx, ids)]);
    const [clusterId] = ids as [string];
    const rows = [...logs.values()].flat().map(row => ({ ...row, clusterId }));
    const states = await this.claims.rebuild(tx.workspace, groupStatementsByClaim(rows), now);
    return this.present(tx.workspace, clusterId, states, now, false);
  }

  private present(
    workspace: string,
    id: string,
    states: readonly StoredClaim[],
    asOf: Instant,
    history: boolean,
  ): Promise<PresentedClaim[]> {
    const rules = this.claims.rulesOf(workspace);
    const job = states.find(({ property }) => property === EMPLOYER_PROPERTY);
    const employer = job && projectTenure(EMPLOYER_PROPERTY, job.state);
    return flatMapYielding(
      states.toSorted((a, b) => (a.property < b.property ? -1 : 1)),
      ({ property, state }) => {
        const claim = toClaim(rules, property, state, asOf, { history, employer });
        return claim ? [{ entity_id: id, ...claim }] : [];
      },
    );
  }

  /**
   * Returns these claims as of now, in no order; those that were never stated are missing. Two statements, and more if
   * statements about the future are due.
   * @param keys with canonical IDs.
   */
  async readMany(tx: Tx, keys: readonly ClaimKey[]): Promise<PresentedClaim[]> {
    if (keys.length === 0) return [];
    const now = await tx.now();
    const wanted = new Set(keys.map(({ entityId, property }) => `${entityId} ${property}`));
    const employers = [...new Set(keys.map(({ entityId }) => entityId))]
      .filter(entityId => !wanted.has(`${entityId} ${EMPLOYER_PROPERTY}`))
      .map(entityId => ({ entityId, property: EMPLOYER_PROPERTY }));
    const stored = await this.claims.readStates(tx, [...keys, ...employers]);
    const states = await this.foldDue(tx, stored, now);
    const rules = this.claims.rulesOf(tx.workspace);
    const jobs = states.filter(({ property }) => property === EMPLOYER_PROPERTY);
    const employerOf = new Map(jobs.map(({ entityId, state }) => [entityId, projectTenure(EMPLOYER_PROPERTY, state)]));
    return flatMapYielding(states, ({ entityId, property, state }) => {
      if (!wanted.has(`${entityId} ${property}`)) return [];
      const claim = toClaim(rules, property, state, now, { employer: employerOf.get(entityId) });
      return claim ? [{ entity_id: entityId, ...claim }] : [];
    });
  }

  /** Reads the stored states. Folds them from the log for another time, and if a statement about the future is due. */
  private async readStates(tx: Tx, id: string, now: Instant, { asOf, knownAt }: AsOf) {
    const past = asOf !== undefined || knownAt !== undefined;
    if (past) return this.history.rebuildAsOf(tx, id, asOf ?? now, { asOf, knownAt });
    return this.foldDue(tx, await readEntityStates(tx, id), now);
  }

  private async foldDue(tx: Tx, stored: readonly StoredClaim[], now: Instant): Promise<readonly StoredClaim[]> {
    const due = stored.filter(claim => hasDueStatement(claim.state, now));
    if (due.length === 0) return stored;
    const rebuilt = await this.history.rebuild(tx, due, now);
    const folded = new Set([...due, ...rebuilt].map(({ entityId, property }) => `${entityId} ${property}`));
    return [...stored.filter(({ entityId, property }) => !folded.has(`${entityId} ${property}`)), ...rebuilt];
  }
}
