import { createHash } from 'node:crypto';
import type { ConnectionInfo } from '../lifecycle.js';
import type { PluginManifest } from '../manifest/manifest.js';

const PUBLIC_URL = 'https://hub.example';

/** Returns the connection that lifecycle methods of a test receive, with addresses and signing secrets. */
export function createConnection({ inbound = {} }: PluginManifest): ConnectionInfo {
  const id = 'test-connection';
  const secretOf = (name: string) => `whsec_${createHash('sha256').update(name).digest('base64')}`;
  const addresses = Object.entries(inbound).map(([name, { signature }]) => {
    const secret = signature?.secretFrom === 'generated' ? secretOf(name) : undefined;
    return [name, { url: `${PUBLIC_URL}/hooks/${id}/${name}`, secret }] as const;
  });
  return Object.freeze({ id, name: 'Test', inbound: Object.fromEntries(addresses) });
}

/** Returns an object of which every use is refused. */
export function forbiddenProxy(refuse: () => never): object {
  return new Proxy({}, { get: () => refuse });
}
