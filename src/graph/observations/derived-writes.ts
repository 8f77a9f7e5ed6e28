import type { ObservationDraft } from '#domain/observation/observation.js';
import { combineReads } from '#kernel/db/combined-statement.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ClaimKey, StoredClaim } from '../claims/claims.queries.js';
import type { NewStatements } from '../claims/claims.service.js';
import type { Owner } from '../identity/identifiers.queries.js';
import { type RecordEntry, toRecordEntry } from './record-call.js';
import type { ReconciledEntity } from './identifier-conflicts.service.js';

/**
 * What follows from a batch of record calls and is recorded with it, in the same statements: scores, say. It states
 * facts only, under no external id, so that what it adds can be written without being read again.
 */
export interface DerivedWrites {
  /** The state properties that it may state. */
  readonly properties: readonly string[];
  /**
   * Reads what it needs to know of the entities of the batch, which are locked by then. Its first statement leaves as
   * one with the read of the fold states, so it sees neither the claims nor the companies that the batch brings, and of its
   * observations only those of a batch in which one bears an external id or somebody is new.
   */
  load(tx: Tx, entities: readonly ReconciledEntity[]): Promise<void>;
  /** What it states, by canonical id. @param folded the claims that the batch has changed, as they stand now. */
  derive(tx: Tx, folded: readonly StoredClaim[]): Promise<ReadonlyMap<string, readonly ObservationDraft[]>>;
}

/** The claims that a sequel may state. */
export function derivedClaimKeys(derivedWrites: DerivedWrites | undefined, owners: readonly Owner[]): ClaimKey[] {
  const clusters = [...new Set(owners.map(({ canonicalId }) => canonicalId))];
  return clusters.flatMap(entityId => (derivedWrites?.properties ?? []).map(property => ({ entityId, property })));
}

/** Reads fold states, and what a sequel needs, as one statement. */
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

/** What a sequel states, as entries behind all others. */
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

/** Histories that end with what is being added to them. */
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
