import { type ObservationDraft, MAX_BATCH_OBSERVATIONS } from '#domain/observation/observation.js';
import { combineReads } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ClaimKey, StoredClaim } from '../claims/claims.queries.js';
import {
  groupStatementsByClaim,
  touchedClaimKeys,
  type NewStatements,
  ClaimsService,
} from '../claims/claims.service.js';
import type { Owner } from '../identity/identifiers.queries.js';
import { type RecordEntry, toRecordEntry, buildEmployerStatement, type ReconciledCall } from './record-call.js';
import type { ReconciledEntity } from './identifier-conflicts.service.js';
import { Injectable } from '@nestjs/common';
import { type Activity, computeActivity } from '#domain/observation/interaction-events.js';
import type { Instant } from '#domain/time/instant.js';
import { ITEM_UNITS, mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import { IdentityService } from '../identity/identity.service.js';
import { HistoryService } from './history.service.js';
import { lockAndAppend, appendAtCommit, encodeRows, type NewObservation } from './observations.queries.js';

/**
 * Observations that are derived from a batch of record calls and written in the same statements, such as scores. They
 * are states without external ids, so they can be written without another read.
 */
export interface DerivedWrites {
  /** State properties that may be derived. */
  readonly properties: readonly string[];
  /**
   * Reads what the derivation needs about the entities of the batch, which are locked by then. Its first statement is
   * combined with the read of the fold states, so it sees the observations of the batch, but not its claims and
   * companies.
   */
  load(tx: Tx, entities: readonly ReconciledEntity[]): Promise<void>;
  /**
   * Returns the derived observations, by canonical id.
   * @param folded the claims that the batch has changed, in their new state.
   */
  derive(tx: Tx, folded: readonly StoredClaim[]): Promise<ReadonlyMap<string, readonly ObservationDraft[]>>;
}

/** Returns the keys of the claims that derived writes may change. */
export function derivedClaimKeys(derivedWrites: DerivedWrites | undefined, owners: readonly Owner[]): ClaimKey[] {
  const clusters = [...new Set(owners.map(({ canonicalId }) => canonicalId))];
  return clusters.flatMap(entityId => (derivedWrites?.properties ?? []).map(property => ({ entityId, property })));
}

/** Reads fold states and the data for derived writes in one statement. */
export async function readAndLoad<T>(
  tx: Tx,
  derivedWrites: DerivedWrites | undefined,
  entities: readonly ReconciledEntity[],
  read: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (!derivedWrites) return read(tx);
  const [states] = await combineReads(tx, one => Promise.all([read(one), derivedWrites.load(one, entities)]));
  return states;
}

/** Builds record entries for derived observations; they are placed after all others. */
export async function derivedEntries(
  tx: Tx,
  stated: ReadonlyMap<string, readonly ObservationDraft[]>,
): Promise<RecordEntry[]> {
  const now = await tx.now();
  return [...stated].map(([id, observations], place) => {
    const entity = { id, canonicalId: id, created: false, employer: undefined, conflicts: [] };
    const request = { focus: { form: 'uuid', id } as const, observations };
    const call = { request, idempotencyKey: undefined };
    return toRecordEntry({ call, entity, observations, offset: place }, now);
  });
}

/** Appends new statements to histories, in the order of `keys`. */
export function appendStatements(
  keys: readonly ClaimKey[],
  history: readonly NewStatements[],
  added: readonly NewStatements[],
): NewStatements[] {
  if (added.length === 0) return [...history];
  const parts = Map.groupBy([...history, ...added], ({ entityId, property }) => `${entityId} ${property}`);
  return keys.map(({ entityId, property }) => {
    const own = parts.get(`${entityId} ${property}`) ?? [];
    return { entityId, property, statements: own.flatMap(each => each.statements) };
  });
}

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
    call => toRecordEntry(call, receivedAt),
    ({ observations }) => observations.length * ITEM_UNITS,
  );
}

/** Returns the observations of a call, with the employer statement that the hub adds. */
function toObservedEntity({ entity, observations }: ReconciledCall) {
  const { canonicalId: entityId, employer } = entity;
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
