import { Injectable } from '@nestjs/common';
import { type Activity, computeActivity } from '#domain/observation/interaction-events.js';
import { MAX_BATCH_OBSERVATIONS } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { ITEM_UNITS, mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import type { ClaimKey, StoredClaim } from '../claims/claims.queries.js';
import { type NewStatements, ClaimsService } from '../claims/claims.service.js';
import { IdentityService } from '../identity/identity.service.js';
import { groupStatementsByClaim, touchedClaimKeys } from './claim-rebuild.js';
import { HistoryService } from './history.service.js';
import { lockAndAppend, appendAtCommit, encodeRows, type NewObservation } from './observations.queries.js';
import { buildEmployerStatement, type RecordEntry, toRecordEntry, type ReconciledCall } from './record-call.js';
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

/** Appends a batch to the log, folds it into the claims and updates the entities. */
@Injectable()
export class ObservationAppender {
  constructor(
    private readonly identity: IdentityService,
    private readonly claims: ClaimsService,
    private readonly history: HistoryService,
  ) {}

  /**
   * Writes the observations of these calls and folds them into the claims, with a fixed number of statements unless the
   * claims are megabytes. Rows that are derived from the batch are inserted with COMMIT.
   * @param derivedWrites derives further observations from the batch, which are written with it.
   * @throws ClusterChangedError if an entity was merged or unmerged since it was found.
   */
  async write(
    tx: Tx,
    calls: readonly ReconciledCall[],
    derivedWrites: DerivedWrites | undefined,
  ): Promise<AppendedBatch> {
    const entries = await toRecordEntries(calls, await tx.now());
    if (calls.length === 0 || (!derivedWrites && calls.every(({ call }) => call.request.observations.length === 0)))
      return { entries, added: new Set(), derived: [] };
    const rows = entries.flatMap(entry => [...entry.rows, ...entry.derived]);
    const encoded = await encodeRows(rows);
    // Sent together and run in order: the states are read after the locks were granted.
    const [{ ids, lockedAt }, states] = await Promise.all([
      lockAndAppend(
        tx,
        encoded,
        calls.map(({ entity }) => entity),
      ),
      this.readStates(tx, calls, derivedWrites),
    ]);
    // A transaction that began earlier may be written later, so what is effective is judged by the time of the locks.
    const horizon = lockedAt + MAX_BATCH_OBSERVATIONS;
    const derive = (added: readonly NewObservation[], unlogged: readonly NewObservation[]) =>
      this.claims.derive(tx, groupStatementsByClaim(added), states, horizon, late =>
        this.readHistory(tx, late, unlogged),
      );

    const added = rows.filter(row => ids.has(row.id));
    countUsage(tx, added);
    const folded = await derive(added, []);
    const derivedRecords = derivedWrites ? await derivedEntries(tx, await derivedWrites.derive(tx, folded)) : [];
    const derivedRows = derivedRecords.flatMap(entry => entry.rows);
    const derivedClaims = derivedRows.length > 0 ? await derive(derivedRows, derivedRows) : [];
    await appendAtCommit(tx, derivedRows);

    await this.claims.save(tx, [...folded, ...derivedClaims]);
    const names = this.claims.deriveNames(folded, states, horizon);
    const activity = computeActivityByCluster(added, horizon);
    this.identity.updateEntities(tx, { names, activity, companies: collectCompanies(entries) });
    return { entries, added: new Set([...added, ...derivedRows].map(row => row.id)), derived: derivedRecords };
  }

  /** Reads the states of the claims that the calls may change, and the data for derived writes. */
  private async readStates(
    tx: Tx,
    calls: readonly ReconciledCall[],
    derivedWrites: DerivedWrites | undefined,
  ): Promise<StoredClaim[]> {
    const owners = calls.map(({ entity }) => entity);
    const keys = [...touchedClaimKeys(calls.map(toObservedEntity)), ...derivedClaimKeys(derivedWrites, owners)];
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

/** Approximate size of an observation without its value and upstream payload, in bytes. */
const OBSERVATION_BYTES = 300;

/** Counts observations and their size for the quotas of the workspace. @throws HubError `quota_exceeded` */
function countUsage(tx: Tx, rows: readonly NewObservation[]): void {
  tx.countUsage('observations', rows.length);
  const bytes = rows.reduce((sum, { value, raw }) => sum + OBSERVATION_BYTES + sizeOf(value) + sizeOf(raw), 0);
  tx.countUsage('bytes', bytes);
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 0;
}

function toRecordEntries(calls: readonly ReconciledCall[], receivedAt: Instant): Promise<RecordEntry[]> {
  return mapYielding(
    calls,
    ({ call, entity, offset }) => toRecordEntry(call, entity, receivedAt, offset),
    ({ call }) => call.request.observations.length * ITEM_UNITS,
  );
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
