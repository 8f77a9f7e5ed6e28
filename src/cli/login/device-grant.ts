import { CliError, EXIT } from '../base/exit.js';
import type { ApiClient } from '../api/api-client.js';
import { toCliError } from '../api/to-cli-error.js';
import { delay } from '../api/retry.js';
import type { AuthorizationServer } from './metadata.js';

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
