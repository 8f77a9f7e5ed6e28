import { reindexVectors } from '#graph/notes/embedder/reindex-vectors.js';
import { reindexNotes } from '#graph/notes/reindex-notes.js';
import { withTermsByNoteIndex } from '#graph/notes/reindex.queries.js';
import type { AddAdminCommands } from './admin-context.js';
import { parseUuidArgument } from './argument-parsers.js';
import { selectWorkspaces } from './select-workspaces.js';
import { printResult } from './output.js';
import { formatTableLines } from '../cli/base/format.js';

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
        const { work, pool } = database;
        const ids = await selectWorkspaces(work, workspace);
        return withTermsByNoteIndex(pool, async () => {
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
