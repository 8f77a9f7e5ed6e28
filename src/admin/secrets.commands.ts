import { type Resealed, resealWorkspace } from '#kernel/plugins/connections/reseal.js';
import { openSecretBox } from '#kernel/secrets/open-box.js';
import type { AddCommands } from './admin-command.js';
import { uuid } from './arguments.js';
import { namedWorkspaces } from './named-workspaces.js';
import { answer, table } from './terminal.js';

interface Options {
  readonly workspace?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** `admin secrets rotate` */
export const addSecretsCommands: AddCommands = (admin, { terminal, withDatabase }) => {
  const secrets = admin.command('secrets').description('what the credentials of connections are sealed with');
  secrets
    .command('rotate')
    .description('seal all secrets anew under the first of SECRET_KEYS; beside live traffic, and safe to repeat')
    .option('--workspace <id>', 'only this workspace (default: all of them)', uuid)
    .option('--dry-run', 'open every secret and count, but change nothing')
    .option('--json', 'print JSON')
    .action(async ({ workspace, dryRun, json }: Options) => {
      const { key, done } = await withDatabase(async ({ work }, env) => {
        const ids = await namedWorkspaces(work, workspace);
        const box = await openSecretBox(env);
        const rows: (Resealed & { workspace_id: string })[] = [];
        for (const id of ids) {
          const options = { dryRun: dryRun === true, onProgress: tell(id) };
          rows.push({ workspace_id: id, ...(await resealWorkspace(work, box, id, options)) });
        }
        return { key: box.currentKey, done: rows };
      });
      const rows = done.map(each => [each.workspace_id, String(each.read), String(each.resealed)]);
      const lines = table(['WORKSPACE', 'SECRETS', 'RESEALED'], rows, 'There is no workspace yet.');
      answer(terminal, json, { key, dry_run: dryRun === true, rotated: done }, lines);
    });

  function tell(workspace: string): (soFar: Resealed) => void {
    return ({ read, resealed }) => terminal.err(`${workspace}: ${read} read, ${resealed} sealed anew`);
  }
};
