import { buildSecretPageUrl } from '#auth-server/users/page-urls.js';
import { createSetupCode, hasMembers } from '#auth-server/setup/setup.service.js';
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
  requireWorkspace,
} from './admin-context.js';
import { formatFieldLines, formatTableLines } from '../cli/base/terminal.js';

const HAS_MEMBERS =
  'This workspace has members, who can invite others. For one who forgot the password: rapport admin user reset-password.';

/** Adds `admin workspace create | list | set-plan | setup-address`. */
export const addWorkspaceCommands: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  const workspace = admin.command('workspace').description('create and list workspaces, and set their plan');

  workspace
    .command('create')
    .description('create a workspace with its first API key (scopes read, write, admin) and the address for its owner')
    .requiredOption('--name <name>', 'display name', parseNameArgument)
    .requiredOption('--plan <plan>', 'starter, growth or scale', parsePlanArgument)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport admin workspace create --name "Acme Sales" --plan growth')
    .action(async ({ json, ...input }: { name: string; plan: Plan; json?: true }) => {
      const { created, setupUrl } = await withDatabase(async ({ work }, { publicUrl }) => {
        const result = await createWorkspace(work, input);
        const { code } = await work.auth(tx => createSetupCode(tx, result.workspace.id));
        return { created: result, setupUrl: buildSecretPageUrl(publicUrl, 'setup', code) };
      });
      const { id, name, plan } = created.workspace;
      const data = {
        workspace_id: id,
        name,
        plan,
        api_key: created.key,
        key_id: created.apiKey.id,
        setup_url: setupUrl,
      };
      printResult(terminal, json, data, [
        ...formatFieldLines(data),
        'Keep the API key now: it is not shown again. The owner creates an account at the setup address within seven days.',
      ]);
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

  workspace
    .command('setup-address')
    .description(
      'print a new address at which the first owner of a workspace creates an account, once and within seven days',
    )
    .argument('<workspace>', 'ID of the workspace', parseUuidArgument)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport admin workspace setup-address 01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17')
    .action(async (id: string, { json }: { json?: true }) => {
      const { setup, publicUrl } = await withDatabase(async ({ work }, env) => {
        await requireWorkspace(work, id);
        const setup = await work.auth(async tx => ((await hasMembers(tx, id)) ? undefined : createSetupCode(tx, id)));
        return { setup, publicUrl: env.publicUrl };
      });
      if (!setup) throw new CommandError(HAS_MEMBERS);
      const data = {
        setup_url: buildSecretPageUrl(publicUrl, 'setup', setup.code),
        expires_at: toIso(setup.expiresAt),
      };
      printResult(terminal, json, data, [
        ...formatFieldLines(data),
        'Pass it on to the owner only. It stops working once the workspace has a member.',
      ]);
    });
};

function toRow(workspace: Workspace) {
  const { id, name, plan, createdAt } = workspace;
  return { workspace_id: id, name, plan, created_at: toIso(createdAt) };
}
