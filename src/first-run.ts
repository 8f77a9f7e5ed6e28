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

/** Formats the messages that the hub prints at its start. */
export class FirstRun {
  private constructor(
    private readonly env: Env,
    private readonly isEmpty: boolean,
    private readonly key: string | undefined,
  ) {}

  /**
   * Creates the first workspace if the embedded database is empty; its key is printed once. With DATABASE_URL no
   * workspace is created, because the output is then a log that others read. Runs before the hub listens, so that the
   * messages are complete when the hub reports ready.
   */
  static async prepare({ work }: Database, env: Env): Promise<FirstRun> {
    const empty = env.role !== 'worker' && (await listWorkspaces(work)).length === 0;
    if (!empty || env.databaseUrl) return new FirstRun(env, empty, undefined);
    const { key } = await createWorkspace(work, { name: 'My workspace', plan: 'scale' });
    return new FirstRun(env, empty, key);
  }

  /** Returns the address of the hub and, if there is no data yet, the first steps. */
  formatStartMessage(url: string): string {
    if (this.env.role === 'worker')
      return `\nA worker of Rapport is ready at ${url} (health, readiness and metrics only)\n`;
    const base = this.env.port === 0 ? url : this.env.publicUrl;
    const ready = `\nRapport is ready at ${base} (reference: ${base}/docs)\n`;
    if (this.key !== undefined) return `${ready}\n${formatFirstSteps(base, this.key)}`;
    return this.isEmpty ? `${ready}\n${NO_WORKSPACE_HINT}\n` : ready;
  }

  /**
   * Returns the message with the new key, which cannot be printed again; used if the hub cannot listen. Undefined if
   * no key was created.
   */
  get credentialsMessage(): string | undefined {
    return this.key && formatCredentials(this.key);
  }
}

const NO_WORKSPACE_HINT = 'There is no workspace yet: npx rapport admin workspace create --name Acme --plan scale';

function formatFirstSteps(base: string, key: string): string {
  return `${formatCredentials(key)}
Record something about a person:

curl -sS ${base}/v2/observations \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${EXAMPLE_REQUEST}'

Read the account back:

curl -sS ${base}/v2/accounts/ada@acme.com -H 'Authorization: Bearer ${key}'
`;
}

function formatCredentials(key: string): string {
  return `A workspace has been created. This is its API key; it is not shown again:\n\n  ${key}\n`;
}
