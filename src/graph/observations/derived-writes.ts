import type { ObservationDraft } from '#domain/observation/observation.js';
import { combineReads } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ClaimKey, StoredClaim } from '../claims/claims.queries.js';
import type { NewStatements } from '../claims/claims.service.js';
import type { Owner } from '../identity/identifiers.queries.js';
import { type RecordEntry, toRecordEntry } from './record-call.js';
import type { ReconciledEntity } from './identifier-conflicts.service.js';

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
    return toRecordEntry({ request, idempotencyKey: undefined }, entity, now, place);
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
