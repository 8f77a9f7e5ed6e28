import type { AddCommands } from './admin-command.js';
import { answer } from './terminal.js';

/** `admin migrate` */
export const addMigrateCommand: AddCommands = (admin, { terminal, withDatabase }) => {
  admin
    .command('migrate')
    .description('bring the database up to date, as every start of the hub does')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const applied = await withDatabase(async database => database.applied);
      const lines = applied.length > 0 ? applied.map(step => `applied ${step}`) : ['The database is up to date.'];
      answer(terminal, options.json, { applied }, lines);
    });
};
