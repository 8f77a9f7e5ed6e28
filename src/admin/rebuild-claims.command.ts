import { type RebuildProgress, rebuildClaims } from '#graph/observations/claim-rebuild.js';
import { ClaimsService } from '#graph/claims/claims.service.js';
import { RulesCache } from '#graph/claims/rules.cache.js';
import type { AddAdminCommands } from './admin-context.js';
import { parseUuidArgument } from './argument-parsers.js';
import { selectWorkspaces } from './select-workspaces.js';
import { printResult } from './output.js';
import { formatTableLines } from '../cli/base/format.js';

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
