import type { PluginManifest } from './manifest.js';

/**
 * Returns whether a plugin needs a connection: it has credentials, sign-in, webhooks or a connection lifecycle. In the hub
 * and in the test harness.
 */
export function needsConnection({ credentials, oauth2, inbound }: PluginManifest, hasLifecycle: boolean): boolean {
  const hasWebhooks = Object.keys(inbound ?? {}).length > 0;
  return credentials !== undefined || oauth2 !== undefined || hasWebhooks || hasLifecycle;
}
