import type { CommandContext } from '../base/command-context.js';
import { toPrintable } from '../base/format.js';
import { createColors } from '../base/colors.js';
import { printNotice } from '../base/terminal.js';
import type { ApiClient } from '../api/api-client.js';
import { hasBrowser, isOwnPage, openBrowser } from './browser.js';
import { requestDeviceCode, type DeviceCode, type GrantedKey, waitForApproval } from './device-grant.js';
import { fetchAuthorizationServer } from './metadata.js';

/** How the sign-in is wished for. */
export interface DeviceLoginOptions {
  readonly browser: boolean;
  /** Separated by commas. */
  readonly scopes: string;
  readonly name: string;
}

/** Signs in by a code that somebody approves in a browser. Needs no terminal: what to do is printed. */
export async function deviceLogin(
  desk: CommandContext,
  hub: ApiClient,
  options: DeviceLoginOptions,
): Promise<GrantedKey> {
  const { terminal } = desk;
  const server = await fetchAuthorizationServer(hub);
  const code = await requestDeviceCode(hub, server, options);
  showCode(desk, code, hub.settings.baseUrl);
  const page = code.verification_uri_complete ?? code.verification_uri;
  if (options.browser && hasBrowser(terminal) && isOwnPage(page, hub.settings.baseUrl)) await openBrowser(page);
  printNotice(terminal, 'Waiting for approval; Ctrl-C ends it.');
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
    printNotice(terminal, paint.yellow(`Mind that this page is not at ${baseUrl}.`));
  }
}
