import { toCliError } from './to-cli-error.js';
import type { ApiClient } from './api-client.js';

/** Who a key is, as far as the hub tells. */
export interface KeyIdentity {
  readonly workspace: { readonly id?: string | undefined; readonly name?: string | undefined } | null;
  readonly plan: string | null;
  /** The key's row in the list of keys; null where the key may not read it. */
  readonly key: ApiKeyInfo | null;
}

/** A row of `GET /v2/api-keys`. */
export interface ApiKeyInfo {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly scopes: readonly string[];
  readonly origin: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_client: string | null;
}

/** Status of the workspace, as `GET /v2/workspace/status` gives it. */
export interface ApiWorkspaceStatus {
  readonly workspace?: { readonly id?: string; readonly name?: string };
  readonly plan?: { readonly id?: string; readonly name?: string };
  readonly completeness?: number;
  readonly counts?: Readonly<Record<string, number>>;
  readonly setup?: Readonly<Record<string, unknown>>;
  readonly next_steps?: readonly { readonly title?: string; readonly how?: string }[];
}

/** Shows the key to the hub and says whose it is. @throws CliError when the hub refuses the key */
export async function whoAmI(hub: ApiClient): Promise<KeyIdentity> {
  const { status, body } = await hub.send('GET', '/v2/workspace/status');
  // Any other refusal comes after the key was accepted.
  if (status === 401 || status >= 500) throw toCliError(status, body, 'GET /v2/workspace/status');
  const { workspace, plan } = status === 200 ? (body as ApiWorkspaceStatus) : {};
  const knownWorkspace = workspace ? { id: workspace.id, name: workspace.name } : null;
  return { workspace: knownWorkspace, plan: plan?.id ?? null, key: await findOwnKey(hub) };
}

/** The row of the key in force. A key without the scope `admin` may not read the list. */
async function findOwnKey(hub: ApiClient): Promise<ApiKeyInfo | null> {
  const { apiKey = '', keyId } = hub.settings;
  const { status, body } = await hub.send('GET', '/v2/api-keys');
  if (status !== 200) return null;
  const { api_keys } = body as { api_keys: readonly ApiKeyInfo[] };
  const alike = api_keys.filter(
    ({ id, prefix, last_four }) => id === keyId || (apiKey.startsWith(prefix) && apiKey.endsWith(last_four)),
  );
  return alike.length === 1 ? alike[0]! : null;
}
