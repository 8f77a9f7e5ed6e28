import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { deleteWorkspace, type WorkspaceRowCounts } from '#graph/exports/workspace-deletion.js';
import { WorkspaceExportService } from '#graph/exports/workspace-export.service.js';
import { ImportError, importWorkspace } from '#graph/exports/workspace-import.js';
import { OPERATOR } from '#domain/actor/actor.js';
import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import { removeWorkspaceFiles } from '#kernel/files/chunk-storage.js';
import { openSecretBox } from '#kernel/secrets/open-secret-box.js';
import { findWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import {
  type AddAdminCommands,
  CommandError,
  parseUuidArgument,
  printResult,
  requireWorkspace,
} from './admin-context.js';
import { formatFieldLines, formatTableLines } from '../cli/base/terminal.js';

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

interface ImportCommandOptions {
  readonly workspaceId?: string;
  readonly resume?: boolean;
  readonly dryRun?: boolean;
  readonly json?: true;
}

/** Adds `admin workspace export | import | delete`, below the command that `addWorkspaceCommands` has added. */
export const addWorkspaceDataCommands: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  const workspace = admin.commands.find(command => command.name() === 'workspace')!;

  workspace
    .command('export')
    .description('write all data of a workspace to a zip file of NDJSON files, without keys and credentials')
    .argument('<workspace>', 'ID of the workspace', parseUuidArgument)
    .argument('<file>', 'zip file to create; it must not exist')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  rapport admin workspace export ${EXAMPLE_ID} acme.zip`)
    .action(async (id: string, file: string, options: { json?: true }) => {
      await withDatabase(async ({ work }) => {
        await requireWorkspace(work, id);
        const zip = await new WorkspaceExportService(work).export(id, { tables: undefined, after: undefined });
        await saveFile(file, zip);
      });
      const data = { workspace_id: id, file };
      printResult(terminal, options.json, data, [
        `The workspace ${id} is exported to ${file}. It holds personal data.`,
      ]);
    });

  workspace
    .command('import')
    .description('create a workspace from an export, with the same IDs and times, and a new API key')
    .argument('<file>', 'zip file of an export')
    .option('--workspace-id <id>', 'ID of the new workspace (default: that of the export)', parseUuidArgument)
    .option('--resume', 'continue an import that was interrupted')
    .option('--dry-run', 'check the file and count its rows; write nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport admin workspace import acme.zip --dry-run')
    .action(async (file: string, { workspaceId, resume = false, dryRun = false, json }: ImportCommandOptions) => {
      const { result, key } = await withDatabase(async ({ work }, env) => {
        const imported = await importWorkspace({ work, openBox: () => openSecretBox(env) }, file, {
          ...(workspaceId !== undefined && { workspaceId }),
          resume,
          dryRun,
          onProgress: (table, rows) => terminal.err(`${table}: ${rows}`),
        }).catch(toCommandError);
        if (dryRun) return { result: imported, key: undefined };
        const scopes = ['read', 'write', 'admin'] as const;
        const issued = await work.run(imported.workspaceId, tx =>
          new ApiKeysService().create(tx, {
            name: 'first key after an import',
            scopes,
            origin: 'admin',
            createdBy: OPERATOR,
          }),
        );
        return { result: imported, key: issued.key };
      });
      const { workspaceId: workspace_id, name, plan, tables } = result;
      const data = {
        workspace_id,
        name,
        plan,
        tables,
        ...(key === undefined ? { dry_run: true } : { api_key: key }),
      };
      const fields = { workspace_id, name, plan, ...(key !== undefined && { api_key: key }) };
      const end = key === undefined ? 'Nothing was written.' : 'Keep the API key now: it is not shown again.';
      printResult(terminal, json, data, [...formatFieldLines(fields), ...formatCounts(tables), end]);
    });

  workspace
    .command('delete')
    .description('delete a workspace with everything in it, for good')
    .argument('<workspace>', 'ID of the workspace', parseUuidArgument)
    .option('--confirm <name>', 'the name of the workspace; without it nothing is deleted')
    .option('--dry-run', 'count the rows; delete nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  rapport admin workspace delete ${EXAMPLE_ID} --confirm "Acme Sales"`)
    .action(async (id: string, options: { confirm?: string; dryRun?: true; json?: true }) => {
      const { dryRun = false, confirm } = options;
      const counts = await withDatabase(async ({ work, pool }, { dataDir }) => {
        const found = await findWorkspace(work, id);
        if (!found) throw new CommandError(`There is no workspace ${id}.`);
        if (!dryRun && confirm !== found.name) {
          throw new CommandError(
            `Nothing was deleted. To delete it, repeat the command with --confirm ${JSON.stringify(found.name)}; ` +
              'to see what would go, with --dry-run.',
          );
        }
        const deleted = await deleteWorkspace(pool, id, dryRun);
        if (!dryRun) await removeWorkspaceFiles(dataDir, id);
        return deleted;
      });
      const data = { workspace_id: id, deleted: !dryRun, tables: counts, ...(dryRun && { dry_run: true }) };
      const end = dryRun ? 'Nothing was deleted.' : `The workspace ${id} is deleted.`;
      printResult(terminal, options.json, data, [...formatCounts(counts), end]);
    });
};

/** Writes a file that only its owner can read; removes it if writing fails. */
async function saveFile(file: string, content: NodeJS.ReadableStream): Promise<void> {
  let isOurs = false;
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600 }).on('open', () => (isOurs = true));
  try {
    await pipeline(content, output);
  } catch (error) {
    if (isOurs) await rm(file, { force: true });
    throw new CommandError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function formatCounts(counts: WorkspaceRowCounts): string[] {
  const cells = Object.entries(counts).map(([table, rows]) => [table, String(rows)]);
  return formatTableLines(['TABLE', 'ROWS'], cells, 'There are no rows.');
}

function toCommandError(error: unknown): never {
  throw error instanceof ImportError ? new CommandError(error.message) : error;
}
