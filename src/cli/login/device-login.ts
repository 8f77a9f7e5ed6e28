import type { Desk } from '../base/desk.js';
import { printable } from '../base/lines.js';
import { paintFor } from '../base/paint.js';
import { say } from '../base/terminal.js';
import type { Hub } from '../hub/hub.js';
import { hasBrowser, isOwnPage, openBrowser } from './browser.js';
import { askForCode, type DeviceCode, type Granted, waitForApproval } from './device-grant.js';
import { authorizationServer } from './metadata.js';

/** How the sign-in is wished for. */
export interface LoginWish {
  readonly browser: boolean;
  /** Separated by commas. */
  readonly scopes: string;
  readonly name: string;
}

/** Signs in by a code that somebody approves in a browser. Needs no terminal: what to do is printed. */
export async function deviceLogin(desk: Desk, hub: Hub, wish: LoginWish): Promise<Granted> {
  const { terminal } = desk;
  const server = await authorizationServer(hub);
  const code = await askForCode(hub, server, wish);
  show(desk, code, hub.settings.baseUrl);
  const page = code.verification_uri_complete ?? code.verification_uri;
  if (wish.browser && hasBrowser(terminal) && isOwnPage(page, hub.settings.baseUrl)) await openBrowser(page);
  say(terminal, 'Waiting for approval; Ctrl-C ends it.');
  return waitForApproval(hub, server!, code, terminal.signal);
}

function show({ terminal }: Desk, code: DeviceCode, baseUrl: string): void {
  const paint = paintFor(terminal, 'stderr');
  const page = code.verification_uri_complete ?? code.verification_uri;
  say(terminal, 'To sign in, open this page in any browser:');
  say(terminal, `  ${paint.cyan(printable(page))}`);
  say(terminal, 'and approve it if it shows this code:');
  say(terminal, `  ${paint.bold(printable(code.user_code))}`);
  if (!isOwnPage(page, baseUrl)) {
    say(terminal, paint.yellow(`Mind that this page is not at ${baseUrl}.`));
  }
}
