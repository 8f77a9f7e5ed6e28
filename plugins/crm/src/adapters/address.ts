import type { Hub } from '../plugin.js';

/** Returns the address of a path of the API: at the provider, unless the settings name another one, such as a proxy. */
export function toAddress(hub: Hub, baseUrl: string, path: string): string {
  return (hub.settings.api_url || baseUrl).replace(/\/$/, '') + path;
}
