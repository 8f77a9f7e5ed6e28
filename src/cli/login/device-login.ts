import open from 'open';
import { isCancel, password } from '@clack/prompts';
import {
  type Terminal,
  isInteractive,
  readStream,
  formatFieldLines,
  printNotice,
  toPrintable,
  createColors,
} from '../base/terminal.js';
import { isLoopback } from '../settings/settings.js';
import type { CommandContext } from '../base/command-context.js';
import { CliError } from '../base/errors.js';
import { ApiClient } from '../api/api-client.js';
import { whoAmI } from '../api/identity.js';
import { credentialsFile, saveCredentials } from '../settings/credentials.js';
import {
  type GrantedKey,
  requestDeviceCode,
  type DeviceCode,
  waitForApproval,
  fetchAuthorizationServer,
} from './device-grant.js';

/** Checks whether a browser opened by this process would be visible to the user. */
export function hasBrowser({ env }: Terminal): boolean {
  if (env['SSH_CONNECTION'] || env['SSH_TTY'] || env['CI'] || env['BROWSER'] === 'none') return false;
  return process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME']);
}

/** Checks whether a page belongs to the hub. Only such pages are opened automatically. */
export function isOwnPage(page: string, baseUrl: string): boolean {
  if (!URL.canParse(page) || !/^https?:$/.test(new URL(page).protocol)) return false;
  const { origin } = new URL(page);
  return origin === baseUrl || (isLoopback(origin) && isLoopback(baseUrl));
}

/** Opens a page in the browser. @returns whether the browser was started */
export async function openBrowser(page: string): Promise<boolean> {
  try {
    const child = await open(page);
    child.on('error', () => undefined);
    return true;
  } catch {
    return false;
  }
}

const KEY_FORMAT = /^[\x21-\x7e]{8,200}$/;

/** Reads a key from a prompt or a pipe. A key is never an argument, because other users can see arguments. */
export async function readPastedKey({ terminal }: CommandContext): Promise<string> {
  const text = isInteractive(terminal) ? await promptForKey(terminal) : await readPipedKey(terminal);
  const key = text.trim();
  if (KEY_FORMAT.test(key)) return key;
  throw CliError.usage('That is not an API key.', 'A key looks like rap_live_… and contains no spaces.');
}

async function promptForKey({ stdin, stderr, signal }: CommandContext['terminal']): Promise<string> {
  const answer = await password({ message: 'API key', input: stdin, output: stderr, signal });
  if (isCancel(answer)) throw CliError.interrupted();
  return answer ?? '';
}

async function readPipedKey({ stdin }: CommandContext['terminal']): Promise<string> {
  const hint = 'Pipe the key in: pass show rapport | rapport login --key.';
  if (stdin.isTTY) throw CliError.usage('There is no interactive terminal to prompt for the key.', hint);
  return readStream(stdin);
}

/** Verifies a key with the hub and saves it. @throws CliError if the hub rejects it */
export async function saveKey(context: CommandContext, baseUrl: string, { apiKey, keyId }: GrantedKey): Promise<void> {
  const { terminal } = context;
  const { env } = terminal;
  const hub = new ApiClient(
    { baseUrl, baseUrlFrom: 'file', apiKey, ...(keyId !== undefined && { keyId }) },
    terminal.signal,
  );
  const { workspace, plan, key } = await whoAmI(hub);
  const key_id = keyId ?? key?.id ?? null;
  await saveCredentials(env, { base_url: baseUrl, api_key: apiKey, key_id });
  const file = credentialsFile(env);
  const overriding = ['RAPPORT_API_KEY', 'RAPPORT_API_KEY_FILE'].find(name => env[name]);
  if (overriding) printNotice(terminal, `Note: ${overriding} is set and overrides the saved key.`);
  context.print({ base_url: baseUrl, key_id, workspace, plan, file }, [
    `Signed in to ${workspace?.name ?? baseUrl}.`,
    ...formatFieldLines({ hub: baseUrl, plan, key: key_id, saved: file }),
  ]);
}

/** Options of the sign-in. */
export interface DeviceLoginOptions {
  readonly browser: boolean;
  /** Separated by commas. */
  readonly scopes: string;
  readonly name: string;
}

/** Signs in with a code that the user approves in a browser. Prints the instructions; works without a terminal. */
export async function deviceLogin(
  context: CommandContext,
  hub: ApiClient,
  options: DeviceLoginOptions,
): Promise<GrantedKey> {
  const { terminal } = context;
  const server = await fetchAuthorizationServer(hub);
  const code = await requestDeviceCode(hub, server, options);
  showCode(context, code, hub.settings.baseUrl);
  const page = code.verification_uri_complete ?? code.verification_uri;
  if (options.browser && hasBrowser(terminal) && isOwnPage(page, hub.settings.baseUrl)) await openBrowser(page);
  printNotice(terminal, 'Waiting for approval. Press Ctrl-C to cancel.');
  return waitForApproval(hub, server!, code, terminal.signal);
}

function showCode({ terminal }: CommandContext, code: DeviceCode, baseUrl: string): void {
  const paint = createColors(terminal, 'stderr');
  const page = code.verification_uri_complete ?? code.verification_uri;
  printNotice(terminal, 'To sign in, open this page in any browser:');
  printNotice(terminal, `  ${paint.cyan(toPrintable(page))}`);
  printNotice(terminal, 'and approve it if it shows this code:');
  printNotice(terminal, `  ${paint.bold(toPrintable(code.user_code))}`);
  if (!isOwnPage(page, baseUrl)) {
    printNotice(terminal, paint.yellow(`Warning: this page is not at ${baseUrl}.`));
  }
}
