import open from 'open';
import type { Terminal } from '../base/terminal.js';
import { isLoopback } from '../settings/settings.js';

/** Whether a browser that is opened here would be seen by whoever sits at the terminal. */
export function hasBrowser({ env }: Terminal): boolean {
  if (env['SSH_CONNECTION'] || env['SSH_TTY'] || env['CI'] || env['BROWSER'] === 'none') return false;
  return process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME']);
}

/** Whether the page is the hub's own: only such a page is opened unasked. */
export function isOwnPage(page: string, baseUrl: string): boolean {
  if (!URL.canParse(page) || !/^https?:$/.test(new URL(page).protocol)) return false;
  const { origin } = new URL(page);
  return origin === baseUrl || (isLoopback(origin) && isLoopback(baseUrl));
}

/** Opens a page in the browser. @returns whether that could be started */
export async function openBrowser(page: string): Promise<boolean> {
  try {
    const child = await open(page);
    child.on('error', () => undefined);
    return true;
  } catch {
    return false;
  }
}
