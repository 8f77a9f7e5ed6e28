import { toIso } from '#domain/time/instant.js';
import type { Plan } from '#domain/plans/tiers.js';
import type { Workspace } from '#kernel/workspaces/workspace.entity.js';
import { createWorkspace, listWorkspaces, setPlan } from '#kernel/workspaces/workspaces.service.js';
import { type AddCommands, CommandFailed } from './admin-command.js';
import { name, plan, uuid } from './arguments.js';
import { answer, pairs, table } from './terminal.js';

/** `admin workspace create | list | set-plan` */
export const addWorkspaceCommands: AddCommands = (admin, { terminal, withDatabase }) => {
  const workspace = admin.command('workspace').description('create and list workspaces, set their plan');

  workspace
    .command('create')
    .description('create a workspace with its first API key (scopes read, write, admin)')
    .requiredOption('--name <name>', 'what people call it', name)
    .requiredOption('--plan <plan>', 'starter, growth or scale', plan)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport admin workspace create --name "Acme Sales" --plan growth')
    .action(async ({ json, ...wish }: { name: string; plan: Plan; json?: true }) => {
      const { workspace: made, apiKey, key } = await withDatabase(({ work }) => createWorkspace(work, wish));
      const data = { workspace_id: made.id, name: made.name, plan: made.plan, api_key: key, key_id: apiKey.id };
      answer(terminal, json, data, [...pairs(data), 'Keep the API key now: it is not shown again.']);
    });

  workspace
    .command('list')
    .description('list all workspaces, oldest first')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const rows = (await withDatabase(({ work }) => listWorkspaces(work))).map(toRow);
      const cells = rows.map(row => [row.workspace_id, row.plan, row.created_at, row.name]);
      const lines = table(['WORKSPACE', 'PLAN', 'CREATED', 'NAME'], cells, 'There is no workspace yet.');
      answer(terminal, options.json, { workspaces: rows }, lines);
    });

  workspace
    .command('set-plan')
    .description('give a workspace another plan; running hubs follow within 5 seconds')
    .argument('<workspace>', 'id of the workspace', uuid)
    .argument('<plan>', 'starter, growth or scale', plan)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport admin workspace set-plan 01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17 scale')
    .action(async (id: string, wanted: Plan, options: { json?: true }) => {
      const changed = await withDatabase(({ work }) => setPlan(work, id, wanted));
      if (!changed) throw new CommandFailed(`There is no workspace ${id}.`);
      answer(terminal, options.json, toRow(changed), [`${changed.name} (${id}) has the plan ${wanted} now.`]);
    });
};

function toRow(workspace: Workspace) {
  const { id, name: called, plan: has, createdAt } = workspace;
  return { workspace_id: id, name: called, plan: has, created_at: toIso(createdAt) };
}
