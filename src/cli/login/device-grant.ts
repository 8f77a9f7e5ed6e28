import { CliError, EXIT } from '../base/errors.js';
import { type ApiClient, toCliError, delay } from '../api/api-client.js';

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

/** OAuth client ID of this program, a public client. */
export const CLIENT_ID = 'rapport-cli';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';
const DEFAULT_INTERVAL_SECONDS = 5;
const SLOW_DOWN_SECONDS = 5;
const DEFAULT_EXPIRY_SECONDS = 600;

/** Device authorization response (RFC 8628, section 3.2). */
export interface DeviceCode {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete?: string;
  /** Seconds. */
  readonly expires_in?: number;
  /** Polling interval in seconds. */
  readonly interval?: number;
}

/** A granted API key. */
export interface GrantedKey {
  readonly apiKey: string;
  readonly keyId?: string;
}

/** Requests a device code. @throws CliError if the hub does not support the device flow */
export async function requestDeviceCode(
  hub: ApiClient,
  server: AuthorizationServer | undefined,
  options: { readonly scopes: string; readonly name: string },
): Promise<DeviceCode> {
  const path = server?.deviceAuthorization;
  if (path === undefined) {
    const hint = 'Create a key and paste it: rapport login --key.';
    throw new CliError(EXIT.failed, 'no_device_login', 'This hub does not support sign-in by browser.', { hint });
  }
  const scope = options.scopes
    .split(',')
    .map(word => word.trim())
    .join(' ');
  const form = { client_id: CLIENT_ID, scope, device_name: options.name };
  const { status, body } = await hub.send('POST', path, { form, readsOnly: true });
  if (status !== 200) throw toOAuthError(status, body, path);
  return body as DeviceCode;
}

/** Polls until the request is approved (RFC 8628, sections 3.4 and 3.5). @throws CliError if it is denied or expires */
export async function waitForApproval(
  hub: ApiClient,
  { token }: AuthorizationServer,
  code: DeviceCode,
  signal: AbortSignal,
): Promise<GrantedKey> {
  const end = Date.now() + (code.expires_in ?? DEFAULT_EXPIRY_SECONDS) * 1_000;
  let interval = code.interval ?? DEFAULT_INTERVAL_SECONDS;
  const form = { grant_type: GRANT_TYPE, device_code: code.device_code, client_id: CLIENT_ID };
  while (Date.now() < end) {
    await delay(interval * 1_000, signal).catch(() => {
      throw CliError.interrupted();
    });
    const { status, body } = await hub.send('POST', token, { form, attempts: 1 }).catch(toPending);
    if (status === 200) return toGrantedKey(body);
    const error = readErrorCode(body);
    if (error === 'slow_down') interval += SLOW_DOWN_SECONDS;
    else if (error !== 'authorization_pending' && status !== 429) throw toOAuthError(status, body, token);
  }
  throw toExpiredError();
}

/** Treats an unreachable hub as pending, because the code stays valid. */
function toPending(error: unknown): { status: number; body: object } {
  if (error instanceof CliError && error.exitCode === EXIT.unreachable) {
    return { status: 503, body: { error: 'authorization_pending' } };
  }
  throw error;
}

function toGrantedKey(body: unknown): GrantedKey {
  const { access_token, key_id } = body as { access_token?: unknown; key_id?: unknown };
  if (typeof access_token !== 'string') throw new CliError(EXIT.failed, 'bad_token', 'The hub granted no key.');
  return { apiKey: access_token, ...(typeof key_id === 'string' && { keyId: key_id }) };
}

function toOAuthError(status: number, body: unknown, path: string): CliError {
  const error = readErrorCode(body);
  if (error === 'access_denied') return new CliError(EXIT.refused, error, 'The sign-in was denied.');
  if (error === 'expired_token') return toExpiredError();
  const { error_description: description } = (body ?? {}) as { error_description?: unknown };
  if (typeof description === 'string') return new CliError(EXIT.refused, error ?? 'refused', description, { status });
  return toCliError(status, body, `POST ${path}`);
}

function toExpiredError(): CliError {
  const hint = 'Run rapport login again.';
  return new CliError(EXIT.failed, 'expired_token', 'The code was not approved in time.', { hint });
}

function readErrorCode(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : undefined;
}

/**
 * Revokes the current key: by RFC 7009 if the hub supports it, otherwise as an API key of the workspace. A key that the
 * hub already rejects counts as revoked.
 * @returns whether this call revoked the key @throws CliError if the hub does not revoke it
 */
export async function revokeOwnKey(hub: ApiClient): Promise<boolean> {
  const { apiKey = '', keyId } = hub.settings;
  const server = await fetchAuthorizationServer(hub);
  if (server?.revocation !== undefined) {
    const form = { token: apiKey, token_type_hint: 'access_token', client_id: CLIENT_ID };
    const { status, body } = await hub.send('POST', server.revocation, { form, readsOnly: true });
    if (status === 200) return true;
    // The authorization server does not revoke keys that were created manually.
    if (status !== 400) throw toCliError(status, body, `POST ${server.revocation}`);
  }
  if (keyId === undefined) throw toUnknownKeyIdError();
  const path = `/v2/api-keys/${keyId}`;
  const { status, body } = await hub.send('DELETE', path);
  if (status === 401) return false;
  if (status !== 200) throw toCliError(status, body, `DELETE ${path}`);
  return true;
}

function toUnknownKeyIdError(): CliError {
  const hint = 'Revoke it with rapport keys revoke on a machine with an admin key, then run rapport logout --local.';
  return new CliError(
    EXIT.refused,
    'unknown_key_id',
    'The id of the saved key is not known, so it cannot be revoked from here.',
    {
      hint,
    },
  );
}
