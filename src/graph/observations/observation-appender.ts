import { Injectable } from '@nestjs/common';
import { type Activity, computeActivity } from '#domain/observation/activity.js';
import { MAX_BATCH_OBSERVATIONS } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { ITEM_UNITS, mapYielding } from '#kernel/scheduling/yield.js';
import type { ClaimKey, StoredClaim } from '../claims/claims.queries.js';
import { type NewStatements, ClaimsService } from '../claims/claims.service.js';
import { lockEntities } from '../identity/entity-locks.js';
import { IdentityService } from '../identity/identity.service.js';
import { groupStatementsByClaim, touchedClaimKeys } from './statements-by-claim.js';
import { HistoryService } from './history.service.js';
import type { LockedEntities } from './find-and-lock.queries.js';
import { lockAndAppend, appendEarly, appendAtCommit, type NewObservation } from './observations.queries.js';
import {
  hasExternalId,
  buildEmployerStatement,
  type RecordEntry,
  toRecordEntry,
  type ReconciledCall,
} from './record-call.js';
import {
  derivedEntries,
  derivedClaimKeys,
  readAndLoad,
  type DerivedWrites,
  appendStatements,
} from './derived-writes.js';

/** A written batch, with the entries that were derived from it. */
export interface AppendedBatch {
  readonly entries: readonly RecordEntry[];
  /** Ids of the inserted rows. */
  readonly added: ReadonlySet<string>;
  readonly derived: readonly RecordEntry[];
}

/** The rows of a batch and the states of its claims, read after its entities were locked. */
interface PreparedBatch {
  readonly entries: readonly RecordEntry[];
  /** The rows that are new. */
  readonly added: readonly NewObservation[];
  /** The new rows that are not in the log yet. */
  readonly pending: readonly NewObservation[];
  /** Database time after the locks were granted. */
  readonly lockedAt: Instant;
  readonly states: readonly StoredClaim[];
}

/** Appends a batch to the log, folds it into the claims and updates the entities. */
@Injectable()
export class ObservationAppender {
  constructor(
    private readonly identity: IdentityService,
    private readonly claims: ClaimsService,
    private readonly history: HistoryService,
  ) {}

  /**
   * Writes the observations of these calls and folds them into the claims, with a fixed number of statements. A
   * transaction that began earlier may be written later, so the horizon is the database time after the locks were
   * granted, not BEGIN.
   * @param derivedWrites derives further observations from the batch, which are written with it.
   * @param locked the states of the entities, if the caller has locked all of them.
   * @throws ClusterChangedError if an entity was merged or unmerged since it was found.
   */
  async write(
    tx: Tx,
    calls: readonly ReconciledCall[],
    derivedWrites: DerivedWrites | undefined,
    locked?: LockedEntities,
  ): Promise<AppendedBatch> {
    if (calls.length === 0 || (!derivedWrites && calls.every(({ call }) => call.request.observations.length === 0)))
      return { entries: await toRecordEntries(calls, await tx.now()), added: new Set(), derived: [] };
    const { entries, added, pending, lockedAt, states } = await this.prepare(tx, calls, derivedWrites, locked);
    const horizon = lockedAt + MAX_BATCH_OBSERVATIONS;
    const derive = (rows: readonly NewObservation[], unlogged: readonly NewObservation[]) =>
      this.claims.derive(tx, groupStatementsByClaim(rows), states, horizon, late =>
        this.readHistory(tx, late, unlogged),
      );

    // Rows that are derived from the batch are inserted in the same statement as the rest.
    const unlogged = derivedWrites ? pending : [];
    if (!derivedWrites) await appendEarly(tx, pending);
    const folded = await derive(added, unlogged);
    const derivedRecords = derivedWrites ? await derivedEntries(tx, await derivedWrites.derive(tx, folded)) : [];
    const derivedRows = derivedRecords.flatMap(entry => entry.rows);
    const derivedClaims = derivedRows.length > 0 ? await derive(derivedRows, [...unlogged, ...derivedRows]) : [];
    await appendAtCommit(tx, [...unlogged, ...derivedRows]);

    await this.claims.save(tx, [...folded, ...derivedClaims]);
    const names = this.claims.deriveNames(folded, states, horizon);
    const activity = computeActivityByCluster(added, horizon);
    this.identity.updateEntities(tx, { names, activity, companies: collectCompanies(entries) });
    return { entries, added: new Set([...added, ...derivedRows].map(row => row.id)), derived: derivedRecords };
  }

  /**
   * Locks the entities, reads their states and determines the new rows. If no row has an external id, all rows are new:
   * they are written while they are folded, and locks and claims are sent together with BEGIN if all owners are cached.
   * If an entity was just created, its rows are appended by the statement that locks, and its claims are not read: it
   * is invisible to others until COMMIT.
   */
  private async prepare(
    tx: Tx,
    calls: readonly ReconciledCall[],
    derivedWrites: DerivedWrites | undefined,
    locked: LockedEntities | undefined,
  ): Promise<PreparedBatch> {
    const createdIds = findCreatedIds(calls);
    const owners = calls.map(({ entity }) => entity);
    const read = async () => locked?.states ?? this.readStates(tx, calls, derivedWrites, createdIds);
    if (createdIds.size === 0 && !calls.some(hasExternalId)) {
      const clusters = owners.map(({ canonicalId }) => canonicalId);
      const [now, lockedAt, states] = await Promise.all([
        tx.now(),
        locked?.lockedAt ?? lockEntities(tx, clusters),
        read(),
      ]);
      const entries = await toRecordEntries(calls, now);
      const added = entries.flatMap(entry => entry.rows);
      return { entries, added, pending: added, lockedAt, states };
    }
    const entries = await toRecordEntries(calls, await tx.now());
    const rows = entries.flatMap(entry => [...entry.rows, ...entry.derived]);
    const [{ ids, lockedAt }, states] = await Promise.all([lockAndAppend(tx, rows, locked ? [] : owners), read()]);
    return { entries, added: rows.filter(row => ids.has(row.id)), pending: [], lockedAt, states };
  }

  /** Reads the states of the claims that the calls may change, and the data for derived writes. */
  private async readStates(
    tx: Tx,
    calls: readonly ReconciledCall[],
    derivedWrites: DerivedWrites | undefined,
    createdIds: ReadonlySet<string>,
  ): Promise<StoredClaim[]> {
    const known = calls.filter(({ entity }) => !createdIds.has(entity.id));
    if (known.length === 0 && !derivedWrites) return [];
    const owners = calls.map(({ entity }) => entity);
    const keys = [...touchedClaimKeys(known.map(toObservedEntity)), ...derivedClaimKeys(derivedWrites, owners)];
    return readAndLoad(tx, derivedWrites, owners, one => this.claims.readStates(one, keys, owners));
  }

  /** Reads whole histories and adds the `unlogged` rows, which the log does not have yet. */
  private async readHistory(
    tx: Tx,
    keys: readonly ClaimKey[],
    unlogged: readonly NewObservation[],
  ): Promise<NewStatements[]> {
    return appendStatements(keys, await this.history.readStatements(tx, keys), groupStatementsByClaim(unlogged));
  }
}

function toRecordEntries(calls: readonly ReconciledCall[], receivedAt: Instant): Promise<RecordEntry[]> {
  return mapYielding(
    calls,
    ({ call, entity, offset }) => toRecordEntry(call, entity, receivedAt, offset),
    ({ call }) => call.request.observations.length * ITEM_UNITS,
  );
}

/** Returns the ids of entities that this transaction created; none if it has merged any entity. */
function findCreatedIds(calls: readonly ReconciledCall[]): ReadonlySet<string> {
  if (calls.some(({ entity }) => entity.merge)) return new Set();
  return new Set(calls.flatMap(({ entity }) => (entity.created ? [entity.id] : [])));
}

/** Returns the observations of a call, with the employer statement that the hub adds. */
function toObservedEntity({ call, entity }: ReconciledCall) {
  const { canonicalId: entityId, employer } = entity;
  const { observations } = call.request;
  return {
    entityId,
    observations: employer ? [...observations, buildEmployerStatement(employer.domain)] : observations,
  };
}

function collectCompanies(entries: readonly RecordEntry[]): Map<string, string> {
  return new Map(entries.flatMap(({ entity }) => (entity.employer ? [[entity.canonicalId, entity.employer.id]] : [])));
}

function computeActivityByCluster(rows: readonly NewObservation[], now: Instant): Map<string, Activity> {
  const events = Map.groupBy(
    rows.filter(row => row.kind === 'event'),
    row => row.clusterId,
  );
  return new Map([...events].map(([clusterId, own]) => [clusterId, computeActivity(own, now)]));
}
