import { toIso } from '#domain/time/instant.js';
import type { Plan } from '#domain/plans/tiers.js';
import type { Workspace } from '#kernel/workspaces/workspace.entity.js';
import { createWorkspace, listWorkspaces, setPlan } from '#kernel/workspaces/workspaces.repository.js';
import {
  type AddAdminCommands,
  CommandError,
  parseNameArgument,
  parsePlanArgument,
  parseUuidArgument,
  printResult,
} from './admin-context.js';
import { formatFieldLines, formatTableLines } from '../cli/base/terminal.js';

/** Adds `admin workspace create | list | set-plan`. */
export const addWorkspaceCommands: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  const workspace = admin.command('workspace').description('create and list workspaces, and set their plan');

  workspace
    .command('create')
    .description('create a workspace with its first API key (scopes read, write, admin)')
    .requiredOption('--name <name>', 'display name', parseNameArgument)
    .requiredOption('--plan <plan>', 'starter, growth or scale', parsePlanArgument)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport admin workspace create --name "Acme Sales" --plan growth')
    .action(async ({ json, ...input }: { name: string; plan: Plan; json?: true }) => {
      const { workspace: created, apiKey, key } = await withDatabase(({ work }) => createWorkspace(work, input));
      const data = {
        workspace_id: created.id,
        name: created.name,
        plan: created.plan,
        api_key: key,
        key_id: apiKey.id,
      };
      printResult(terminal, json, data, [...formatFieldLines(data), 'Keep the API key now: it is not shown again.']);
    });

  workspace
    .command('list')
    .description('list all workspaces, oldest first')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const rows = (await withDatabase(({ work }) => listWorkspaces(work))).map(toRow);
      const cells = rows.map(row => [row.workspace_id, row.plan, row.created_at, row.name]);
      const lines = formatTableLines(['WORKSPACE', 'PLAN', 'CREATED', 'NAME'], cells, 'There is no workspace yet.');
      printResult(terminal, options.json, { workspaces: rows }, lines);
    });

  workspace
    .command('set-plan')
    .description('change the plan of a workspace; running hubs follow within 5 seconds')
    .argument('<workspace>', 'ID of the workspace', parseUuidArgument)
    .argument('<plan>', 'starter, growth or scale', parsePlanArgument)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport admin workspace set-plan 01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17 scale')
    .action(async (id: string, plan: Plan, options: { json?: true }) => {
      const changed = await withDatabase(({ work }) => setPlan(work, id, plan));
      if (!changed) throw new CommandError(`There is no workspace ${id}.`);
      printResult(terminal, options.json, toRow(changed), [`${changed.name} (${id}) has the plan ${plan} now.`]);
    });
};

function toRow(workspace: Workspace) {
  const { id, name, plan, createdAt } = workspace;
  return { workspace_id: id, name, plan, created_at: toIso(createdAt) };
}
