import { openLog } from '#kernel/telemetry/logger.js';
import { startHub } from '../../src/hub.js';
import { freshDatabase } from '../support/database.js';
import { type Client, clientOf, testEnv } from '../support/hub.js';
import { createWorkspace } from '#kernel/workspaces/workspaces.service.js';
import { freePort } from '#kernel/db/embedded/free-port.js';
import { PersonAtBrowser } from '../support/visitor.js';

/** The answer of the token endpoint. */
export interface TokenBody {
  readonly access_token: string;
  readonly key_id: string;
  readonly scope: string;
  readonly error: string;
}

/** A hub that knows the address it is reached by, and what it writes into its log. */
export type OAuthGround = Awaited<ReturnType<typeof openGround>>;

/** Starts the hub of this suite. */
export async function openGround() {
  const [database, port] = await Promise.all([freshDatabase(), freePort()]);
  const publicUrl = `http://localhost:${port}`;
  const lines: string[] = [];
  const env = testEnv(database.url, {
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    EGRESS_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'trace',
  });
  const hub = await startHub(env, openLog('trace', { write: line => void lines.push(line) }));
  return {
    publicUrl,
    url: hub.url,
    /** Everything that was logged so far. */
    log: () => lines.join(''),
    hub: {
      ...hub,
      workspace: async (): Promise<Client> => {
        const { workspace, key } = await createWorkspace(hub.database.work, { name: 'Acme', plan: 'scale' });
        return clientOf(hub.url, key, workspace.id);
      },
    },
    person: () => new PersonAtBrowser(hub.url),
    statusWith: async (key: string) =>
      (await fetch(`${hub.url}/v2/people?limit=1`, { headers: { authorization: `Bearer ${key}` } })).status,
    end: async () => {
      await hub.close();
      await database.drop();
    },
  };
}

/** Sends a form to an endpoint for programs. */
export async function postForm<Body = Record<string, unknown>>(
  { url }: Pick<OAuthGround, 'url'>,
  path: string,
  fields: Record<string, string> | [string, string][],
) {
  const response = await fetch(url + path, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}
