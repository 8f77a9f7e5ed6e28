import { createLogger } from '#kernel/telemetry/logger.js';
import { startHub } from '../../src/hub.js';
import { freshDatabase } from '../support/database/database.js';
import { type Client, clientOf, testEnv } from '../support/hub.js';
import { createWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import { findFreePort } from '#kernel/db/embedded/postgres-server.js';
import { freshRedis } from '../support/database/redis.js';
import { BrowserUser } from '../support/network/browser-user.js';

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
  const [database, redis, port] = await Promise.all([freshDatabase(), freshRedis(), findFreePort()]);
  const publicUrl = `http://localhost:${port}`;
  const lines: string[] = [];
  const secrets: string[] = [];
  const env = testEnv(database.url, {
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'trace',
    ...(redis && { REDIS_URL: redis.url }),
  });
  const hub = await startHub(env, createLogger('trace', { write: line => void lines.push(line) }));
  return {
    publicUrl,
    url: hub.url,
    /** What must not stand in the log: everything secret that was sent or told so far. */
    secrets,
    /** Everything that was logged so far. */
    log: () => lines.join(''),
    hub: {
      ...hub,
      workspace: async (): Promise<Client> => {
        const { workspace, key } = await createWorkspace(hub.database.work, { name: 'Acme', plan: 'scale' });
        return clientOf(hub.url, key, workspace.id);
      },
    },
    person: () => new BrowserUser(hub.url, publicUrl),
    statusWith: async (key: string) =>
      (await fetch(`${hub.url}/v2/people?limit=1`, { headers: { authorization: `Bearer ${key}` } })).status,
    end: async () => {
      await hub.close();
      await Promise.all([database.drop(), redis?.drop()]);
    },
  };
}

const SECRET = new Set(['access_token', 'code', 'code_verifier', 'device_code', 'token', 'refresh_token']);
const LONG_ENOUGH = 40;

/** Sends a form to an endpoint for programs. */
export async function postForm<Body = Record<string, unknown>>(
  { url, secrets }: Pick<OAuthGround, 'url' | 'secrets'>,
  path: string,
  fields: Record<string, string> | [string, string][],
) {
  const sent = new URLSearchParams(fields);
  const response = await fetch(url + path, { method: 'POST', body: sent });
  const body = (await response.json()) as Body;
  for (const [name, value] of [...sent, ...Object.entries(body as object)]) {
    if (SECRET.has(name) && String(value).length >= LONG_ENOUGH) secrets.push(String(value));
  }
  return { status: response.status, headers: response.headers, body };
}

/** Sends JSON without a key. A text is sent as it is. */
export async function post({ url }: Pick<OAuthGround, 'url'>, path: string, body: unknown) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Registers a client. @returns its id */
export async function register(ground: Pick<OAuthGround, 'url'>, metadata: object): Promise<string> {
  const { status, body } = await post(ground, '/oauth/register', metadata);
  expect(status).toBe(201);
  return String(body['client_id']);
}
