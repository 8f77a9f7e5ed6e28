import { type Rebuilt, rebuildClaims } from '#graph/observations/rebuild-claims.js';
import { ClaimsService } from '#graph/claims/claims.service.js';
import { RulesBook } from '#graph/claims/rules-book.js';
import type { AddCommands } from './admin-command.js';
import { uuid } from './arguments.js';
import { namedWorkspaces } from './named-workspaces.js';
import { answer, table } from './terminal.js';

/** `admin rebuild-claims` */
export const addRebuildClaimsCommand: AddCommands = (admin, { terminal, withDatabase }) => {
  admin
    .command('rebuild-claims')
    .description('fold every claim anew from the observations; beside live traffic, and safe to repeat')
    .option('--workspace <id>', 'only this workspace (default: all of them)', uuid)
    .option('--json', 'print JSON')
    .action(async ({ workspace, json }: { workspace?: string; json?: true }) => {
      const rebuilt = await withDatabase(async ({ work }) => {
        const ids = await namedWorkspaces(work, workspace);
        const book = new RulesBook(work);
        await book.refresh();
        const claims = new ClaimsService(book);
        const done: (Rebuilt & { workspace_id: string })[] = [];
        for (const id of ids) done.push({ workspace_id: id, ...(await rebuildClaims(work, id, claims, tell(id))) });
        return done;
      });
      const rows = rebuilt.map(r => [r.workspace_id, String(r.entities), String(r.claims), String(r.changed)]);
      const lines = table(['WORKSPACE', 'ENTITIES', 'CLAIMS', 'CHANGED'], rows, 'There is no workspace yet.');
      answer(terminal, json, { rebuilt }, lines);
    });

  function tell(workspace: string): (soFar: Rebuilt) => void {
    return ({ entities, changed }) =>
      terminal.err(`${workspace}: ${entities} entities read, ${changed} claims changed`);
  }
};
