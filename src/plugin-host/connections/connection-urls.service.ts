import { Injectable } from '@nestjs/common';
import type { ConnectionInfo } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import type { EgressClient } from '#kernel/egress/egress.client.js';
import { EgressRefusedError } from '#kernel/egress/egress-errors.js';
import { HubError, type FieldProblem } from '#kernel/errors/hub-error.js';
import type { Connection } from './connection.js';
import type { WebhookSecrets } from './connection-vault.js';
import { PluginEgressClients } from '../context/plugin-http.js';
import { listUrlFields } from './connection-schema.js';

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

type Fields = Readonly<Record<string, unknown>>;

/** Rejects connections whose credentials or settings hold a URL that the plugin may not call. */
@Injectable()
export class ConnectionUrlsService {
  constructor(private readonly egress: PluginEgressClients) {}

  /**
   * Checks the sent fields that have the format `uri` in the manifest. Hosts are resolved; one that cannot be resolved
   * passes, and the test at the provider then reports that it is unreachable.
   * @throws HubError `invalid_credentials` or `invalid_request`, with the field and the fix
   */
  async check(manifest: PluginManifest, { credentials, settings }: Record<'credentials' | 'settings', Fields>) {
    const client = this.egress.clientFor(manifest.id);
    const inCredentials = await findUrlProblems(
      client,
      'credentials',
      listUrlFields(manifest.credentials),
      credentials,
    );
    if (inCredentials.length > 0) throw HubError.invalidCredentials(undefined, inCredentials);
    const inSettings = await findUrlProblems(client, 'settings', listUrlFields(manifest.settings), settings);
    if (inSettings.length > 0) throw HubError.invalidRequest(inSettings);
  }
}

async function findUrlProblems(client: EgressClient, path: string, names: readonly string[], values: Fields) {
  const checked = names.map(async (name): Promise<FieldProblem[]> => {
    const value = values[name];
    if (typeof value !== 'string') return [];
    const field = `${path}.${name}`;
    return client.check(value).then(
      () => [],
      (error: unknown) => {
        if (!(error instanceof EgressRefusedError)) throw error;
        return [{ field, message: `${field} cannot be called. ${error.message}` }];
      },
    );
  });
  return (await Promise.all(checked)).flat();
}
