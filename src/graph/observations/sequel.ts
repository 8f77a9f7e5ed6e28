import type { ObservationInput } from '#domain/observation/observation.js';
import { inOneStatement } from '#kernel/db/in-one-statement.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ClaimKey, KeptClaim } from '../claims/claims.queries.js';
import type { Addition } from '../claims/claims.service.js';
import type { Owner } from '../identity/identifiers.queries.js';
import { type Entry, entryOf } from './record-call.js';
import type { SettledEntity } from './rivals.service.js';

/**
 * What follows from a batch of record calls and is recorded with it, in the same statements: scores, say. It states
 * facts only, under no external id, so that what it adds can be written without being read again.
 */
export interface Sequel {
  /** The state properties that it may state. */
  readonly properties: readonly string[];
  /**
   * Reads what it needs to know of the entities of the batch, which are locked by then. Its first statement leaves as
   * one with the read of the fold states, so it sees neither the claims nor the companies that the batch brings, and of its
   * observations only those of a batch in which one bears an external id or somebody is new.
   */
  prepare(tx: Tx, entities: readonly SettledEntity[]): Promise<void>;
  /** What it states, by canonical id. @param folded the claims that the batch has changed, as they stand now. */
  conclude(tx: Tx, folded: readonly KeptClaim[]): Promise<ReadonlyMap<string, readonly ObservationInput[]>>;
}

/** The claims that a sequel may state. */
export function keysOf(sequel: Sequel | undefined, owners: readonly Owner[]): ClaimKey[] {
  const clusters = [...new Set(owners.map(({ canonicalId }) => canonicalId))];
  return clusters.flatMap(entityId => (sequel?.properties ?? []).map(property => ({ entityId, property })));
}

/** Reads fold states, and what a sequel needs, as one statement. */
export async function readWith<T>(
  tx: Tx,
  sequel: Sequel | undefined,
  entities: readonly SettledEntity[],
  read: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (!sequel) return read(tx);
  const [states] = await inOneStatement(tx, one => Promise.all([read(one), sequel.prepare(one, entities)]));
  return states;
}

/** What a sequel states, as entries behind all others. */
export async function followingOf(tx: Tx, stated: ReadonlyMap<string, readonly ObservationInput[]>): Promise<Entry[]> {
  const now = await tx.now();
  return [...stated].map(([id, observations], place) => {
    const entity = { id, canonicalId: id, created: false, employer: undefined, rivals: [] };
    const request = { focus: { form: 'uuid', id } as const, observations };
    return entryOf({ request, idempotencyKey: undefined }, entity, now, place);
  });
}

/** Histories that end with what is being added to them. */
export function withStatements(
  keys: readonly ClaimKey[],
  history: readonly Addition[],
  added: readonly Addition[],
): Addition[] {
  if (added.length === 0) return [...history];
  const parts = Map.groupBy([...history, ...added], ({ entityId, property }) => `${entityId} ${property}`);
  return keys.map(({ entityId, property }) => {
    const own = parts.get(`${entityId} ${property}`) ?? [];
    return { entityId, property, statements: own.flatMap(each => each.statements) };
  });
}
