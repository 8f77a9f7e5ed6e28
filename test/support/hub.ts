import { readEnv } from '#kernel/config/env.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import { createWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import type { Plan } from '#domain/plans/tiers.js';
import { type Hub, startHub } from '../../src/hub.js';
import { migratedDatabase } from './database/database.js';
import { freshRedis } from './database/redis.js';

/** An answer of the hub. */
export interface Answer<Body = Record<string, never>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** One workspace's way to a hub. */
export interface Client {
  readonly workspaceId: string;
  readonly key: string;
  get<Body = never>(path: string): Promise<Answer<Body>>;
  post<Body = never>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer<Body>>;
  patch<Body = never>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer<Body>>;
  delete<Body = never>(path: string, headers?: Record<string, string>): Promise<Answer<Body>>;
}

/** A hub of a test file's own, on a database of its own. */
export interface TestHub extends Hub {
  /** A client of a new workspace. */
  workspace(plan?: Plan): Promise<Client>;
  /** Ends the hub and drops its database. */
  end(): Promise<void>;
}

/** Starts a hub on a free port. In the services lane its queues are in a Redis of its own, else in PostgreSQL. */
export async function startTestHub(settings: Record<string, string> = {}): Promise<TestHub> {
  const [database, redis] = await Promise.all([migratedDatabase(), freshRedis()]);
  const env = testEnv(database.url, { ...(redis && { REDIS_URL: redis.url }), ...settings });
  const hub = await startHub(env, createLogger('silent'));
  return {
    ...hub,
    workspace: (plan = 'scale') => workspaceOf(hub, plan),
    end: async () => {
      await hub.close();
      await Promise.all([database.drop(), redis?.drop()]);
    },
  };
}

/** What hubs under test seal with. */
export const TEST_KEYS = `test:${Buffer.alloc(32, 5).toString('base64')}`;

/** Settings of a hub under test. */
export function testEnv(databaseUrl: string, settings: Record<string, string> = {}) {
  return readEnv({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    REDIS_URL: process.env['REDIS_URL'],
    DATABASE_PIPELINE: process.env['DATABASE_PIPELINE'],
    DATABASE_GENERIC_PLANS: process.env['DATABASE_GENERIC_PLANS'],
    RATE_LIMITS: '0',
    PUBLIC_RATE_LIMIT: '0',
    SECRET_KEYS: TEST_KEYS,
    ...settings,
  });
}

async function workspaceOf(hub: Hub, plan: Plan): Promise<Client> {
  const { workspace, key } = await createWorkspace(hub.database.work, { name: 'Acme', plan });
  return clientOf(hub.url, key, workspace.id);
}

/** A client with a key of its own. */
export function clientOf(url: string, key: string, workspaceId = ''): Client {
  const send = async <Body>(path: string, init: RequestInit = {}): Promise<Answer<Body>> => {
    const headers = { authorization: `Bearer ${key}`, ...init.headers };
    const response = await fetch(url + path, { ...init, headers });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  };
  const sendBody =
    (method: string) =>
    <Body>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer<Body>> =>
      send(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
  return {
    workspaceId,
    key,
    get: path => send(path),
    post: sendBody('POST'),
    patch: sendBody('PATCH'),
    delete: (path, headers = {}) => send(path, { method: 'DELETE', headers }),
  };
}
