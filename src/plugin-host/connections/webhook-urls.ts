import type { ConnectionInfo } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest.js';
import type { Connection } from './connection.js';
import type { WebhookSecrets } from './connection-vault.js';

/** A connection as lifecycle methods are told of it: where the provider shall send what, and signed with what. */
export function toConnectionInfo(
  { id, name }: Pick<Connection, 'id' | 'name'>,
  manifest: PluginManifest,
  secrets: WebhookSecrets,
  publicUrl: string,
): ConnectionInfo {
  const urls = Object.entries(manifest.inbound ?? {}).map(([webhook, { signature }]) => {
    const secret =
      signature?.secretFrom === 'generated' ? toSigningSecret(signature.algorithm, secrets.secret) : undefined;
    return [webhook, { url: `${publicUrl}/hooks/${secrets.token}/${webhook}`, secret }] as const;
  });
  return { id, name, inbound: Object.fromEntries(urls) };
}

/** Standard Webhooks wants its keys in base64 behind a prefix; for other schemes the text itself is the key. */
export function toSigningSecret(algorithm: string, secret: string): string {
  return algorithm === 'standard-webhooks' ? `whsec_${Buffer.from(secret, 'hex').toString('base64')}` : secret;
}

/** Everything about a webhook that nobody else may read, in the forms that providers are told of it. */
export function listWebhookSecrets({ token, secret }: WebhookSecrets): string[] {
  return [token, secret, toSigningSecret('standard-webhooks', secret).slice('whsec_'.length)];
}
