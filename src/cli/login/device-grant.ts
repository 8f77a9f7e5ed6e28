import { CliError, EXIT } from '../base/exit.js';
import type { Hub } from '../hub/hub.js';
import { refusalOf } from '../hub/refusal.js';
import { pause } from '../hub/retry.js';
import type { AuthorizationServer } from './metadata.js';

/** As what this program is known to the hub: a public client. */
export const CLIENT_ID = 'rapport-cli';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const INTERVAL_S = 5;
const SLOWER_S = 5;
const EXPIRES_S = 600;

/** What the user is shown (RFC 8628, 3.2). */
export interface DeviceCode {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete?: string;
  /** Seconds. */
  readonly expires_in?: number;
  /** Seconds between two questions. */
  readonly interval?: number;
}

/** What was granted. */
export interface Granted {
  readonly apiKey: string;
  readonly keyId?: string;
}

/** Asks for a code. @throws CliError when this hub offers no such sign-in */
export async function askForCode(
  hub: Hub,
  server: AuthorizationServer | undefined,
  wish: { readonly scopes: string; readonly name: string },
): Promise<DeviceCode> {
  const path = server?.deviceAuthorization;
  if (path === undefined) {
    const hint = 'Make a key and paste it: rapport login --key.';
    throw new CliError(EXIT.failed, 'no_device_login', 'This hub offers no sign-in by browser.', { hint });
  }
  const scope = wish.scopes
    .split(',')
    .map(word => word.trim())
    .join(' ');
  const form = { client_id: CLIENT_ID, scope, device_name: wish.name };
  const { status, body } = await hub.send('POST', path, { form, readsOnly: true });
  if (status !== 200) throw oauthRefusal(status, body, path);
  return body as DeviceCode;
}

/** Asks until somebody has decided (RFC 8628, 3.4 and 3.5). @throws CliError denied or expired */
export async function waitForApproval(
  hub: Hub,
  { token }: AuthorizationServer,
  code: DeviceCode,
  signal: AbortSignal,
): Promise<Granted> {
  const end = Date.now() + (code.expires_in ?? EXPIRES_S) * 1_000;
  let interval = code.interval ?? INTERVAL_S;
  const form = { grant_type: GRANT, device_code: code.device_code, client_id: CLIENT_ID };
  while (Date.now() < end) {
    await pause(interval * 1_000, signal).catch(() => {
      throw CliError.interrupted();
    });
    const { status, body } = await hub.send('POST', token, { form, attempts: 1 }).catch(asPending);
    if (status === 200) return grantedBy(body);
    const error = errorIn(body);
    if (error === 'slow_down') interval += SLOWER_S;
    else if (error !== 'authorization_pending' && status !== 429) throw oauthRefusal(status, body, token);
  }
  throw tooLate();
}

/** A hub that is away for a moment is asked again: the code lives on. */
function asPending(error: unknown): { status: number; body: object } {
  if (error instanceof CliError && error.exit === EXIT.unreachable) {
    return { status: 503, body: { error: 'authorization_pending' } };
  }
  throw error;
}

function grantedBy(body: unknown): Granted {
  const { access_token, key_id } = body as { access_token?: unknown; key_id?: unknown };
  if (typeof access_token !== 'string') throw new CliError(EXIT.failed, 'bad_token', 'The hub granted no key.');
  return { apiKey: access_token, ...(typeof key_id === 'string' && { keyId: key_id }) };
}

function oauthRefusal(status: number, body: unknown, path: string): CliError {
  const error = errorIn(body);
  if (error === 'access_denied') return new CliError(EXIT.refused, error, 'The sign-in was denied.');
  if (error === 'expired_token') return tooLate();
  const { error_description: told } = (body ?? {}) as { error_description?: unknown };
  if (typeof told === 'string') return new CliError(EXIT.refused, error ?? 'refused', told, { status });
  return refusalOf(status, body, `POST ${path}`);
}

function tooLate(): CliError {
  const hint = 'Run rapport login again.';
  return new CliError(EXIT.failed, 'expired_token', 'Nobody approved the code in time.', { hint });
}

function errorIn(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : undefined;
}
