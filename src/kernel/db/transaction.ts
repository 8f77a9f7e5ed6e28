import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '#domain/time/instant.js';
import type { PreparedQuery } from './prepared-query.js';

/** An event that leaves the hub after the transaction has been committed, at least once. */
export interface OutgoingEvent {
  readonly type: string;
  /** Ids and small facts, never whole entities. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An open transaction. Statements that are issued without waiting for each other share a round trip. */
export interface Transaction {
  /** The moment the transaction began, by the clock of the database: one truth for all processes. */
  now(): Promise<Instant>;
  /** Runs one statement and gives its rows. */
  query<Row = Record<string, unknown>>(sql: string | PreparedQuery, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Sends a kept statement whose rows nobody needs at once, so that the server runs it while this side works on. Its
   * answer comes with that of the next statement; if it fails, so does the transaction.
   */
  sendEarly(sql: PreparedQuery, values?: readonly unknown[]): void;
  /**
   * Sends a statement whose rows nobody needs together with COMMIT, so that it costs no round trip of its own. Kept
   * statements become one, in which none sees what another wrote; texts are sent one by one, in their order.
   */
  deferToCommit(sql: string | PreparedQuery, values?: readonly unknown[]): void;
  /** Has `work` called once the transaction has been committed; never, if it is not. It must not fail. */
  afterCommit(work: () => void): void;
  /** MikroORM inside this very transaction, for small reads and writes of entities. Made when first asked for. */
  entityManager(): Promise<EntityManager>;
}

/** A transaction that sees one workspace only. */
export interface Tx extends Transaction {
  readonly workspace: string;
  /** Puts an event into the outbox with this transaction; it is published once that has been committed. */
  emit(event: OutgoingEvent): void;
}
