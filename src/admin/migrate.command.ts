import type { AddAdminCommands } from './admin-context.js';
import { printResult } from './output.js';

/** Adds `admin migrate`. */
export const addMigrateCommand: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  admin
    .command('migrate')
    .description('bring the database up to date, as every start of the hub does')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const applied = await withDatabase(async database => database.appliedMigrations);
      const lines =
        applied.length > 0 ? applied.map(migration => `applied ${migration}`) : ['The database is up to date.'];
      printResult(terminal, options.json, { applied }, lines);
    });
};
