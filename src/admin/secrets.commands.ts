import { rotateSecondFactors } from '#auth-server/users/second-factor-secrets.js';
import { rotateErasureSecrets } from '#graph/erasures/erasure-secrets.js';
import { type RotationProgress, rotateWorkspaceSecrets } from '#plugin-host/connections/rotate-secrets.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { readLiveProcesses } from '#kernel/secrets/process-registry.js';
import { openSecretBox } from '#kernel/secrets/open-secret-box.js';
import {
  type AddAdminCommands,
  CommandError,
  parseUuidArgument,
  selectWorkspaces,
  printResult,
} from './admin-context.js';
import { formatTableLines } from '../cli/base/terminal.js';

interface RotateOptions {
  readonly workspace?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/**
 * Checks that every running process can read what is sealed with a key.
 * @throws CommandError that lists those that cannot
 */
async function refuseMissingKey(work: UnitOfWork, fingerprint: string): Promise<void> {
  const lacking = (await readLiveProcesses(work)).filter(({ secret_keys }) => !secret_keys.includes(fingerprint));
  if (lacking.length === 0) return;
  const [processes, them] = lacking.length === 1 ? ['running process does', 'it'] : ['running processes do', 'them'];
  const list = lacking.map(({ role, host, pid }) => `${role} ${host}/${pid}`).join(', ');
  throw new CommandError(
    `${lacking.length} ${processes} not hold the key "${fingerprint.split(':')[0]}" (${list}): add it to the end of ` +
      `SECRET_KEYS there and restart ${them}, then run this again. Processes that were killed count for 45 s.`,
  );
}

/** Adds `admin secrets rotate`. */
export const addSecretsCommands: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  const secrets = admin.command('secrets').description('manage the keys that seal the credentials of connections');
  secrets
    .command('rotate')
    .description('reseal all secrets under the first of SECRET_KEYS; safe with live traffic and to repeat')
    .option('--workspace <id>', 'only this workspace (default: all of them)', parseUuidArgument)
    .option('--dry-run', 'decrypt and count every secret, but change nothing')
    .option('--json', 'print JSON')
    .action(async ({ workspace, dryRun, json }: RotateOptions) => {
      const { key, done, people } = await withDatabase(async ({ work }, env) => {
        const ids = await selectWorkspaces(work, workspace);
        const box = await openSecretBox(env);
        if (!dryRun) await refuseMissingKey(work, box.fingerprints[0]!);
        const rows: (RotationProgress & { workspace_id: string })[] = [];
        for (const id of ids) {
          const options = { dryRun: dryRun === true, onProgress: createProgressLogger(id) };
          const connections = await rotateWorkspaceSecrets(work, box, id, options);
          const erasures = await rotateErasureSecrets(work, box, id, options);
          rows.push({
            workspace_id: id,
            read: connections.read + erasures.read,
            resealed: connections.resealed + erasures.resealed,
          });
        }
        // People belong to no single workspace, so the rotation of one leaves their second factors as they are.
        const factors =
          workspace === undefined ? await rotateSecondFactors(work, box, { dryRun: dryRun === true }) : null;
        return { key: box.currentKeyId, done: rows, people: factors };
      });
      const rows = done.map(each => [each.workspace_id, String(each.read), String(each.resealed)]);
      if (people) rows.push(['people', String(people.read), String(people.resealed)]);
      const lines = formatTableLines(['OWNER', 'SECRETS', 'RESEALED'], rows, 'There is no secret yet.');
      printResult(terminal, json, { key, dry_run: dryRun === true, rotated: done, people }, lines);
    });

  function createProgressLogger(workspace: string): (soFar: RotationProgress) => void {
    return ({ read, resealed }) => terminal.err(`${workspace}: ${read} read, ${resealed} resealed`);
  }
};
