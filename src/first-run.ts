import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Env } from '#kernel/config/env.js';
import { buildSecretPageUrl } from '#auth-server/users/page-urls.js';
import { createSetupCode } from '#auth-server/setup/setup.service.js';
import type { Database } from '#kernel/db/database.js';
import { createWorkspace, listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';

const EXAMPLE_REQUEST = JSON.stringify({
  focus: 'ada@acme.com',
  observations: [
    { kind: 'state', property: 'name', value: 'Ada Lovelace' },
    { kind: 'state', property: 'title', value: 'VP Sales' },
    { kind: 'event', property: 'interaction.email_replied', value: { description: 'Asked for the price list' } },
  ],
});

/** A secret of the first workspace, and where its owner reads it. */
interface FirstSecret {
  readonly value: string;
  /** File that holds the secret; undefined if it is printed. */
  readonly file: string | undefined;
}

/** How programs and people get into the first workspace. */
interface FirstAccess {
  readonly key: FirstSecret;
  /** Code of the setup address. */
  readonly setupCode: FirstSecret;
}

/** Formats the messages that the hub prints at its start. */
export class FirstRun {
  private constructor(
    private readonly env: Env,
    private readonly isEmpty: boolean,
    private readonly first: FirstAccess | undefined,
  ) {}

  /**
   * Creates the first workspace if the embedded database is empty. Its key and its setup address are printed once to a
   * terminal. Any other output is a log that others read, so they are written to `DATA_DIR/first-key` and
   * `DATA_DIR/setup-code` (mode 0600), and the paths are printed. With DATABASE_URL no workspace is created. Runs before the hub listens, so that the messages are complete when the
   * hub reports ready.
   * @param isTerminal whether the messages are printed to a terminal.
   */
  static async prepare({ work }: Database, env: Env, isTerminal: boolean): Promise<FirstRun> {
    const empty = env.role !== 'worker' && (await listWorkspaces(work)).length === 0;
    if (!empty || env.databaseUrl) return new FirstRun(env, empty, undefined);
    const { key, workspace } = await createWorkspace(work, { name: 'My workspace', plan: 'scale' });
    const { code } = await work.auth(tx => createSetupCode(tx, workspace.id));
    const keep = async (value: string, name: string): Promise<FirstSecret> => ({
      value,
      file: isTerminal ? undefined : await writeSecretFile(join(env.dataDir, name), value),
    });
    return new FirstRun(env, empty, { key: await keep(key, 'first-key'), setupCode: await keep(code, 'setup-code') });
  }

  /** Returns the address of the hub and, if there is no data yet, the first steps. */
  formatStartMessage(url: string): string {
    if (this.env.role === 'worker')
      return `\nA worker of Rapport is ready at ${url} (health, readiness and metrics only)\n`;
    const base = this.env.port === 0 ? url : this.env.publicUrl;
    const ready = `\nRapport is ready at ${base} (reference: ${base}/docs)\n`;
    if (this.first !== undefined) return `${ready}\n${formatFirstSteps(base, this.first)}`;
    return this.isEmpty ? `${ready}\n${NO_WORKSPACE_HINT}\n` : ready;
  }

  /**
   * Returns the message with the new key and setup address, which cannot be printed again; used if the hub cannot
   * listen. Undefined if there are none.
   */
  get credentialsMessage(): string | undefined {
    return this.first && formatAccess(this.env.publicUrl, this.first);
  }
}

const NO_WORKSPACE_HINT = 'There is no workspace yet: npx rapport admin workspace create --name Acme --plan scale';

function formatFirstSteps(base: string, first: FirstAccess): string {
  // Each line works alone: it reads the key itself.
  const bearer = quoteSecret('Authorization: Bearer ', first.key);
  return `${formatAccess(base, first)}
Record something about a person:

curl -sS ${base}/v2/observations \\
  -H ${bearer} \\
  -H 'Content-Type: application/json' \\
  -d '${EXAMPLE_REQUEST}'

Read the account back:

curl -sS ${base}/v2/accounts/ada@acme.com -H ${bearer}
`;
}

function formatAccess(base: string, { key, setupCode }: FirstAccess): string {
  if (key.file === undefined)
    return `A workspace has been created. Create your account at this address, which works once and for seven days:

  ${buildSecretPageUrl(base, 'setup', setupCode.value)}

Programs use this API key; it is not shown again:

  ${key.value}
`;
  return `A workspace has been created. What opens it is in two files that only this user can read.
Create your account in a browser at the address that this prints; it works once and for seven days:

echo ${quoteSecret(buildSecretPageUrl(base, 'setup', ''), setupCode)}

Programs use this API key:

KEY=$(cat ${quoteForShell(key.file)})

Store the key elsewhere, and delete both files.
`;
}

/** Quotes a text that ends with a secret for a POSIX shell, which reads the secret from its file. */
function quoteSecret(text: string, { value, file }: FirstSecret): string {
  return file === undefined ? `'${text}${value}'` : `"${text}$(cat ${quoteForShell(file)})"`;
}

/** Quotes a path for a POSIX shell, if it needs quotes. */
function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** Writes a secret to a new file that only the user of this process can read. Returns the path. */
async function writeSecretFile(file: string, value: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  // A file of an earlier database could have another mode, or be a link to somewhere else.
  await rm(file, { force: true });
  await writeFile(file, `${value}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}
