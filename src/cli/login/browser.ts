import open from 'open';
import type { Terminal } from '../base/terminal.js';
import { isLoopback } from '../settings/settings.js';

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
