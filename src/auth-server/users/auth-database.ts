import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type UnknownRow,
} from 'kysely';
import type { Instant } from '#domain/time/instant.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';

const SCHEMA = 'rapport_auth';
const TIME_COLUMN = /_at$/;

/**
 * The database as better-auth uses it: a Kysely instance whose statements run as `rapport_auth` in transactions of the unit
 * of work. It opens no connection of its own, so it needs no second pool and works behind a transaction pooler.
 */
@Injectable()
export class AuthDatabase {
  /** Its tables are those of the schema `rapport_auth`. Better-auth names them at run time, so they have no types. */
  readonly kysely: Kysely<Record<string, Record<string, unknown>>>;
  private readonly open = new AsyncLocalStorage<Transaction>();

  constructor(private readonly work: UnitOfWork) {
    const connection: DatabaseConnection = {
      executeQuery: <Row>(query: CompiledQuery) => this.execute<Row>(query),
      streamQuery: () => {
        throw new Error('users and sessions are not streamed');
      },
    };
    this.kysely = new Kysely<Record<string, Record<string, unknown>>>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new UnitOfWorkDriver(connection),
        createIntrospector: db => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      plugins: [new TimesAsDates()],
    }).withSchema(SCHEMA);
  }

  /**
   * Runs `work` in one transaction, which also has the statements of better-auth that `work` causes.
   * @param workspace shows the memberships and invitations of one workspace only. Default: those of all.
   */
  run<T>(work: (tx: Transaction) => Promise<T>, workspace?: string): Promise<T> {
    return this.work.auth(tx => this.open.run(tx, () => work(tx)), workspace);
  }

  private async execute<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const query = (tx: Transaction) => tx.query<Row>(sql, parameters);
    const tx = this.open.getStore();
    const rows = await (tx ? query(tx) : this.run(query));
    return { rows, numAffectedRows: BigInt(rows.length) };
  }
}

/** Leaves connections and transactions to the unit of work. */
class UnitOfWorkDriver implements Driver {
  constructor(private readonly connection: DatabaseConnection) {}

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.connection;
  }
  async beginTransaction(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** Returns times as dates, as better-auth expects them; the pool parses them to instants in microseconds. */
class TimesAsDates implements KyselyPlugin {
  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    return node;
  }

  async transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]): Promise<QueryResult<UnknownRow>> {
    const toDates = (row: UnknownRow) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          TIME_COLUMN.test(column) && typeof value === 'number' ? new Date((value as Instant) / 1_000) : value,
        ]),
      );
    return { ...result, rows: result.rows.map(toDates) };
  }
}
