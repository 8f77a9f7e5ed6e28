import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '#domain/time/instant.js';
import type { PreparedQuery } from './prepared-query.js';

/** An event that is published at least once after the transaction has been committed. */
export interface OutgoingEvent {
  readonly type: string;
  /** IDs and small facts, never whole entities. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What a write adds to a workspace and its plan has a quota of. */
export type UsageKind = 'people' | 'notes' | 'observations' | 'bytes';

/** An open transaction. Statements that are issued without awaiting each other share a round trip. */
export interface Transaction {
  /** Returns the start of the transaction by the clock of the database, which is the same for all processes. */
  now(): Promise<Instant>;
  /** Runs one statement and returns its rows. */
  query<Row = Record<string, unknown>>(sql: string | PreparedQuery, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Sends a statement whose rows are not needed together with COMMIT, so that it costs no round trip of its own.
   * Prepared queries are combined into one, in which none sees what another wrote; SQL texts are sent one by one, in
   * order.
   */
  deferToCommit(sql: string | PreparedQuery, values?: readonly unknown[]): void;
  /**
   * Returns MikroORM's entity manager of this transaction, for small reads and writes of entities. Created at the
   * first call.
   */
  entityManager(): Promise<EntityManager>;
}

/** A transaction in the tenant context of one workspace. */
export interface Tx extends Transaction {
  readonly workspace: string;
  /** Adds an event to the outbox in this transaction; it is published after the commit. */
  emit(event: OutgoingEvent): void;
  /**
   * Counts what this transaction adds, before it is written; bytes that it deletes are negative. Counted for the
   * workspace after the commit.
   * @throws HubError `quota_exceeded`
   */
  countUsage(kind: UsageKind, amount: number): void;
}
