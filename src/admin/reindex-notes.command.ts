import { reindexVectors } from '#graph/notes/embedder/reindex-vectors.js';
import { reindexNotes } from '#graph/notes/reindex-notes.js';
import { withTermsByNoteIndex } from '#graph/notes/reindex.queries.js';
import type { AddAdminCommands } from './admin-context.js';
import { parseUuidArgument } from './argument-parsers.js';
import { selectWorkspaces } from './select-workspaces.js';
import { printResult, formatColumns } from './output.js';

interface ReindexOptions {
  readonly workspace?: string;
  readonly vectors?: boolean;
  readonly dryRun?: boolean;
  readonly json?: true;
}

/** `admin reindex-notes` */
export const addReindexNotesCommand: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  admin
    .command('reindex-notes')
    .description('make anew what notes are found by; beside live traffic, and safe to repeat')
    .option('--workspace <id>', 'only this workspace (default: all of them)', parseUuidArgument)
    .option('--vectors', 'also ask the embedder anew for vectors that are there (default: only for missing ones)')
    .option('--dry-run', 'only count what would change')
    .option('--json', 'print JSON')
    .action(async ({ workspace, vectors: rebuildAll = false, dryRun = false, json }: ReindexOptions) => {
      const reindexed = await withDatabase(async (database, { embeddings }) => {
        if (rebuildAll && !embeddings)
          throw new Error('--vectors needs an embedder: set EMBEDDINGS_URL and EMBEDDINGS_MODEL.');
        const { work, pool } = database;
        const ids = await selectWorkspaces(work, workspace);
        return withTermsByNoteIndex(pool, async () => {
          const done = [];
          for (const id of ids) {
            const say = (text: string) => terminal.err(`${id}: ${text}`);
            const onProgress = (made: number) => say(`${made} vectors made`);
            const terms = await reindexNotes(work, id, {
              dryRun,
              onProgress: ({ notes, changed }) => say(`${notes} notes read, ${changed} changed`),
            });
            const made = embeddings
              ? await reindexVectors(database, id, embeddings, { rebuildAll, dryRun, onProgress })
              : 0;
            done.push({ workspace_id: id, ...terms, vectors: made });
          }
          return done;
        });
      });
      const rows = reindexed.map(r => [r.workspace_id, ...[r.notes, r.passages, r.changed, r.vectors].map(String)]);
      const head = ['WORKSPACE', 'NOTES', 'PASSAGES', 'CHANGED', 'VECTORS'];
      printResult(
        terminal,
        json,
        { dry_run: dryRun, reindexed },
        formatColumns(head, rows, 'There is no workspace yet.'),
      );
    });
};
