import { toCliError, type ApiClient } from './api-client.js';

/** Identity of an API key, as far as the hub discloses it. */
export interface KeyIdentity {
  readonly workspace: { readonly id?: string | undefined; readonly name?: string | undefined } | null;
  readonly plan: string | null;
  /** The entry in the list of keys; null if the key may not read the list. */
  readonly key: ApiKeyInfo | null;
}

/** An API key in the response of `GET /v2/api-keys`. */
export interface ApiKeyInfo {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly scopes: readonly string[];
  readonly origin: string;
  readonly created_by: { readonly kind: string; readonly id: string };
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_client: string | null;
}

/** Response of `GET /v2/workspace/status`. */
export interface ApiWorkspaceStatus {
  readonly workspace?: { readonly id?: string; readonly name?: string };
  readonly plan?: { readonly id?: string; readonly name?: string };
  readonly completeness?: number;
  readonly counts?: Readonly<Record<string, number>>;
  readonly setup?: Readonly<Record<string, unknown>>;
  readonly next_steps?: readonly { readonly title?: string; readonly how?: string }[];
}

/** Looks up workspace, plan and details of the current key. @throws CliError if the hub rejects the key */
export async function whoAmI(hub: ApiClient): Promise<KeyIdentity> {
  const { status, body } = await hub.send('GET', '/v2/workspace/status');
  // Any other error means that the key was accepted.
  if (status === 401 || status >= 500) throw toCliError(status, body, 'GET /v2/workspace/status');
  const { workspace, plan } = status === 200 ? (body as ApiWorkspaceStatus) : {};
  const knownWorkspace = workspace ? { id: workspace.id, name: workspace.name } : null;
  return { workspace: knownWorkspace, plan: plan?.id ?? null, key: await findOwnKey(hub) };
}

/** Finds the current key in the list of keys, which only keys with the scope `settings` may read. */
async function findOwnKey(hub: ApiClient): Promise<ApiKeyInfo | null> {
  const { apiKey = '', keyId } = hub.settings;
  const { status, body } = await hub.send('GET', '/v2/api-keys?limit=200');
  if (status !== 200) return null;
  const { api_keys } = body as { api_keys: readonly ApiKeyInfo[] };
  const matches = api_keys.filter(
    ({ id, prefix, last_four }) => id === keyId || (apiKey.startsWith(prefix) && apiKey.endsWith(last_four)),
  );
  return matches.length === 1 ? matches[0]! : null;
}
