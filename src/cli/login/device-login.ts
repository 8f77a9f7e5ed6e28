import type { CommandContext } from '../base/command-context.js';
import { toPrintable } from '../base/format.js';
import { createColors } from '../base/colors.js';
import { printNotice } from '../base/terminal.js';
import type { ApiClient } from '../api/api-client.js';
import { hasBrowser, isOwnPage, openBrowser } from './browser.js';
import { requestDeviceCode, type DeviceCode, type GrantedKey, waitForApproval } from './device-grant.js';
import { fetchAuthorizationServer } from './metadata.js';

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
