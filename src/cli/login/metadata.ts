import { CliError, EXIT } from '../base/exit.js';
import type { ApiClient } from '../api/api-client.js';

/** Endpoints of the hub's authorization server, as paths. */
export interface AuthorizationServer {
  readonly deviceAuthorization?: string;
  readonly token: string;
  readonly revocation?: string;
}

const METADATA = '/.well-known/oauth-authorization-server';

/**
 * Reads the authorization server metadata of the hub (RFC 8414); undefined if there is none. Only the path of each
 * endpoint is used: the hub is its own authorization server, so codes and keys go to no other host, and the current
 * address of the hub stays in use.
 */
export async function fetchAuthorizationServer(hub: ApiClient): Promise<AuthorizationServer | undefined> {
  const { status, body } = await hub.send('GET', METADATA);
  if (status === 404) return undefined;
  if (status !== 200 || typeof body !== 'object' || body === null) {
    throw new CliError(EXIT.failed, 'bad_metadata', `The hub responded to ${METADATA} with status ${status}.`);
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
