import { createVectorSchema } from '#graph/notes/embedder/vectors.schema.js';
import type { AddAdminCommands } from './admin-context.js';
import { printResult } from './output.js';

/** Adds `admin migrate`. */
export const addMigrateCommand: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  admin
    .command('migrate')
    .description('bring the database up to date, also with MIGRATIONS=check; safe while hubs of the version before run')
    .option('--no-deferred', 'leave indexes and backfills to the workers, which run them in the background')
    .option('--json', 'print JSON')
    .action(async (options: { deferred: boolean; json?: true }) => {
      const { applied, finished } = await withDatabase(
        async (database, { embeddings }) => {
          if (embeddings) await createVectorSchema(database.pool);
          const onBatch = (name: string) => terminal.err(`deferred: ${name}`);
          const deferred = options.deferred ? await database.runDeferredMigrations({ onBatch }) : { finished: [] };
          return { applied: database.appliedMigrations, finished: deferred.finished };
        },
        { migrations: 'apply' },
      );
      const done = [...applied, ...finished].map(migration => `applied ${migration}`);
      const lines = done.length > 0 ? done : ['The database is up to date.'];
      printResult(terminal, options.json, { applied, deferred: finished }, lines);
    });
};
