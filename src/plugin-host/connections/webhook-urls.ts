import type { ConnectionInfo } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest.js';
import type { Connection } from './connection.js';
import type { WebhookSecrets } from './connection-vault.js';

/** Returns the connection info for lifecycle methods: the URL and the signing secret of each webhook. */
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

/** Encodes a signing secret: base64 with the prefix `whsec_` for Standard Webhooks, unchanged for other algorithms. */
export function toSigningSecret(algorithm: string, secret: string): string {
  return algorithm === 'standard-webhooks' ? `whsec_${Buffer.from(secret, 'hex').toString('base64')}` : secret;
}

/** Returns the webhook token and the signing secret in all encodings that may occur in texts, for redaction. */
export function listWebhookSecrets({ token, secret }: WebhookSecrets): string[] {
  return [token, secret, toSigningSecret('standard-webhooks', secret).slice('whsec_'.length)];
}
