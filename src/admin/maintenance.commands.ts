import { createVectorSchema } from '#graph/notes/embedder/vectors.schema.js';
import { type RebuildProgress, rebuildClaims } from '#graph/observations/claim-rebuild.js';
import { ClaimsService } from '#graph/claims/claims.service.js';
import { RulesCache } from '#graph/claims/rules.cache.js';
import { reindexVectors } from '#graph/notes/embedder/reindex-vectors.js';
import { reindexNotes } from '#graph/notes/reindex-notes.js';
import { type AddAdminCommands, printResult, parseUuidArgument, selectWorkspaces } from './admin-context.js';
import { formatTableLines } from '../cli/base/terminal.js';

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

/** Adds `admin rebuild-claims`. */
export const addRebuildClaimsCommand: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  admin
    .command('rebuild-claims')
    .description('derive all claims from the observations again; safe with live traffic and to repeat')
    .option('--workspace <id>', 'only this workspace (default: all of them)', parseUuidArgument)
    .option('--json', 'print JSON')
    .action(async ({ workspace, json }: { workspace?: string; json?: true }) => {
      const rebuilt = await withDatabase(async ({ work }) => {
        const ids = await selectWorkspaces(work, workspace);
        const claims = new ClaimsService(new RulesCache(work));
        const done: (RebuildProgress & { workspace_id: string })[] = [];
        for (const id of ids)
          done.push({ workspace_id: id, ...(await rebuildClaims(work, id, claims, createProgressLogger(id))) });
        return done;
      });
      const rows = rebuilt.map(r => [r.workspace_id, String(r.entities), String(r.claims), String(r.changed)]);
      const lines = formatTableLines(
        ['WORKSPACE', 'ENTITIES', 'CLAIMS', 'CHANGED'],
        rows,
        'There is no workspace yet.',
      );
      printResult(terminal, json, { rebuilt }, lines);
    });

  function createProgressLogger(workspace: string): (soFar: RebuildProgress) => void {
    return ({ entities, changed }) =>
      terminal.err(`${workspace}: ${entities} entities read, ${changed} claims changed`);
  }
};

interface ReindexOptions {
  readonly workspace?: string;
  readonly vectors?: boolean;
  readonly dryRun?: boolean;
  readonly json?: true;
}

/** Adds `admin reindex-notes`. */
export const addReindexNotesCommand: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  admin
    .command('reindex-notes')
    .description('rebuild the search index of notes; safe with live traffic and to repeat')
    .option('--workspace <id>', 'only this workspace (default: all of them)', parseUuidArgument)
    .option('--vectors', 'compute all vectors again (default: only missing ones)')
    .option('--dry-run', 'only count what would change')
    .option('--json', 'print JSON')
    .action(async ({ workspace, vectors: rebuildAll = false, dryRun = false, json }: ReindexOptions) => {
      const reindexed = await withDatabase(async (database, { embeddings }) => {
        if (rebuildAll && !embeddings)
          throw new Error('--vectors needs an embedder: set EMBEDDINGS_URL and EMBEDDINGS_MODEL.');
        const { work } = database;
        const ids = await selectWorkspaces(work, workspace);
        const done = [];
        for (const id of ids) {
          const log = (text: string) => terminal.err(`${id}: ${text}`);
          const onProgress = (count: number) => log(`${count} vectors computed`);
          const terms = await reindexNotes(work, id, {
            dryRun,
            onProgress: ({ notes, changed }) => log(`${notes} notes read, ${changed} changed`),
          });
          const vectors = embeddings
            ? await reindexVectors(database, id, embeddings, { rebuildAll, dryRun, onProgress })
            : 0;
          done.push({ workspace_id: id, ...terms, vectors });
        }
        return done;
      });
      const rows = reindexed.map(r => [r.workspace_id, ...[r.notes, r.passages, r.changed, r.vectors].map(String)]);
      const headings = ['WORKSPACE', 'NOTES', 'PASSAGES', 'CHANGED', 'VECTORS'];
      printResult(
        terminal,
        json,
        { dry_run: dryRun, reindexed },
        formatTableLines(headings, rows, 'There is no workspace yet.'),
      );
    });
};
