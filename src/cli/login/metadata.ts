import { CliError, EXIT } from '../base/exit.js';
import type { ApiClient } from '../api/api-client.js';

/** Where the hub's authorization server answers; paths of the hub. */
export interface AuthorizationServer {
  readonly deviceAuthorization?: string;
  readonly token: string;
  readonly revocation?: string;
}

const METADATA = '/.well-known/oauth-authorization-server';

/**
 * Reads the metadata of the hub (RFC 8414). Of each address only the path counts: the hub is its own authorization
 * server, so no code or key goes to another host, and a hub is reached by whatever address it was reached before.
 */
export async function fetchAuthorizationServer(hub: ApiClient): Promise<AuthorizationServer | undefined> {
  const { status, body } = await hub.send('GET', METADATA);
  if (status === 404) return undefined;
  if (status !== 200 || typeof body !== 'object' || body === null) {
    throw new CliError(EXIT.failed, 'bad_metadata', `The hub answered ${METADATA} with status ${status}.`);
  }
  const data = body as Record<string, unknown>;
  const [device, token, revocation] = ['device_authorization', 'token', 'revocation'].map(name =>
    toPath(data[`${name}_endpoint`]),
  );
  return {
    token: token ?? '/oauth/token',
    ...(device !== undefined && { deviceAuthorization: device }),
    ...(revocation !== undefined && { revocation }),
  };
}

function toPath(endpoint: unknown): string | undefined {
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return undefined;
  const { pathname, search } = new URL(endpoint);
  return pathname + search;
}
