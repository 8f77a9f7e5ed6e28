import { type RebuildProgress, rebuildClaims } from '#graph/observations/claim-rebuild.js';
import { ClaimsService } from '#graph/claims/claims.service.js';
import { RulesCache } from '#graph/claims/rules.cache.js';
import type { AddAdminCommands } from './admin-context.js';
import { parseUuidArgument } from './argument-parsers.js';
import { selectWorkspaces } from './select-workspaces.js';
import { printResult, formatColumns } from './output.js';

/** `admin rebuild-claims` */
export const addRebuildClaimsCommand: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  admin
    .command('rebuild-claims')
    .description('fold every claim anew from the observations; beside live traffic, and safe to repeat')
    .option('--workspace <id>', 'only this workspace (default: all of them)', parseUuidArgument)
    .option('--json', 'print JSON')
    .action(async ({ workspace, json }: { workspace?: string; json?: true }) => {
      const rebuilt = await withDatabase(async ({ work }) => {
        const ids = await selectWorkspaces(work, workspace);
        const book = new RulesCache(work);
        await book.refresh();
        const claims = new ClaimsService(book);
        const done: (RebuildProgress & { workspace_id: string })[] = [];
        for (const id of ids) done.push({ workspace_id: id, ...(await rebuildClaims(work, id, claims, tell(id))) });
        return done;
      });
      const rows = rebuilt.map(r => [r.workspace_id, String(r.entities), String(r.claims), String(r.changed)]);
      const lines = formatColumns(['WORKSPACE', 'ENTITIES', 'CLAIMS', 'CHANGED'], rows, 'There is no workspace yet.');
      printResult(terminal, json, { rebuilt }, lines);
    });

  function tell(workspace: string): (soFar: RebuildProgress) => void {
    return ({ entities, changed }) =>
      terminal.err(`${workspace}: ${entities} entities read, ${changed} claims changed`);
  }
};
