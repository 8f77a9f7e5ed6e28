import { Type, MikroORM, type Options } from '@mikro-orm/postgresql';
import { type Instant, toIso } from '#domain/time/instant.js';
import { Migrator } from '@mikro-orm/migrations';
import {
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type pg from 'pg';
import type { DeferredMigration } from './deferred-migrations.js';

/** Maps a `timestamptz` column. The pool parses it to an Instant already; it is written as ISO 8601. */
export class InstantType extends Type<Instant, string | Instant> {
  override convertToDatabaseValue(value: Instant | null | undefined): string {
    return (value == null ? value : toIso(value)) as string;
  }

  override convertToJSValue(value: string | Instant): Instant {
    return value as Instant;
  }

  override compareAsType(): string {
    return 'string';
  }

  override get runtimeType(): string {
    return 'number';
  }

  override getColumnType(): string {
    return 'timestamptz';
  }
}

/** The entities of MikroORM and the migrations of all layers in the order in which they run. */
export interface DatabaseSchema {
  readonly entities: NonNullable<Options['entities']>;
  readonly migrations: NonNullable<NonNullable<Options['migrations']>['migrationsList']>;
  /** Indexes and backfills that run after the start, in their order. Default: none. */
  readonly deferredMigrations?: readonly DeferredMigration[];
}

/**
 * Initializes MikroORM over the pool of this process; it opens no connection of its own. It needs the real name of
 * the database, because its migrator creates a database that it does not find and closes the pool to do so.
 */
export async function openOrm(pool: pg.Pool, { entities, migrations }: DatabaseSchema): Promise<MikroORM> {
  const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name');
  return MikroORM.init({
    entities,
    driverOptions: new PostgresDialect({ pool }),
    dbName: rows[0]!.name,
    ensureDatabase: false,
    extensions: [Migrator],
    migrations: {
      migrationsList: migrations,
      tableName: 'schema_migrations',
      snapshot: false,
      silent: true,
      transactional: true,
      allOrNothing: true,
    },
  });
}

/** Leaves begin, commit, rollback and release to the unit of work. */
class ExternalTransactionDriver extends PostgresDriver {
  override async beginTransaction(): Promise<void> {}
  override async commitTransaction(): Promise<void> {}
  override async rollbackTransaction(): Promise<void> {}
}

/**
 * Creates a MikroORM transaction context over a running transaction.
 * @param query sends a statement of that transaction.
 */
export function createKyselyTransaction(query: (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>) {
  const pool = {
    connect: async () => ({ query, release: () => undefined }) as never,
    end: async () => undefined,
    options: {},
  };
  const kysely = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ExternalTransactionDriver({ pool }),
      createIntrospector: db => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return kysely.startTransaction().execute();
}
