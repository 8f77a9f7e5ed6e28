import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env } from '#kernel/config/env.js';
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

/** Name of the file with the first key, in DATA_DIR. */
const KEY_FILE_NAME = 'first-key';

/** The key of the first workspace, and where its owner reads it. */
interface FirstKey {
  readonly key: string;
  /** File that holds the key; undefined if it is printed. */
  readonly file: string | undefined;
}

/** Formats the messages that the hub prints at its start. */
export class FirstRun {
  private constructor(
    private readonly env: Env,
    private readonly isEmpty: boolean,
    private readonly first: FirstKey | undefined,
  ) {}

  /**
   * Creates the first workspace if the embedded database is empty. Its key is printed once to a terminal. Any other
   * output is a log that others read, so the key is written to `DATA_DIR/first-key` (mode 0600) and the path is printed.
   * With DATABASE_URL no workspace is created. Runs before the hub listens, so that the messages are complete when the
   * hub reports ready.
   * @param isTerminal whether the messages are printed to a terminal.
   */
  static async prepare({ work }: Database, env: Env, isTerminal: boolean): Promise<FirstRun> {
    const empty = env.role !== 'worker' && (await listWorkspaces(work)).length === 0;
    if (!empty || env.databaseUrl) return new FirstRun(env, empty, undefined);
    const { key } = await createWorkspace(work, { name: 'My workspace', plan: 'scale' });
    return new FirstRun(env, empty, { key, file: isTerminal ? undefined : await writeKeyFile(env.dataDir, key) });
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
   * Returns the message with the new key, which cannot be printed again; used if the hub cannot listen. Undefined if
   * no key was created.
   */
  get credentialsMessage(): string | undefined {
    return this.first && formatCredentials(this.first);
  }
}

const NO_WORKSPACE_HINT = 'There is no workspace yet: npx rapport admin workspace create --name Acme --plan scale';

function formatFirstSteps(base: string, first: FirstKey): string {
  // Each line works alone: it reads the key itself.
  const bearer =
    first.file === undefined
      ? `'Authorization: Bearer ${first.key}'`
      : `"Authorization: Bearer $(cat ${quoteForShell(first.file)})"`;
  return `${formatCredentials(first)}
Record something about a person:

curl -sS ${base}/v2/observations \\
  -H ${bearer} \\
  -H 'Content-Type: application/json' \\
  -d '${EXAMPLE_REQUEST}'

Read the account back:

curl -sS ${base}/v2/accounts/ada@acme.com -H ${bearer}
`;
}

function formatCredentials({ key, file }: FirstKey): string {
  if (file === undefined)
    return `A workspace has been created. This is its API key; it is not shown again:\n\n  ${key}\n`;
  return `A workspace has been created. Its API key is in a file that only this user can read:

KEY=$(cat ${quoteForShell(file)})

Store the key elsewhere, and delete the file.
`;
}

/** Quotes a path for a POSIX shell, if it needs quotes. */
function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** Writes the key to a new file that only the user of this process can read. Returns the path. */
async function writeKeyFile(dataDir: string, key: string): Promise<string> {
  const file = join(dataDir, KEY_FILE_NAME);
  await mkdir(dataDir, { recursive: true });
  // A file of an earlier database could have another mode, or be a link to somewhere else.
  await rm(file, { force: true });
  await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}
