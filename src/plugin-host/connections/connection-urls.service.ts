import { Injectable } from '@nestjs/common';
import type { PluginManifest } from '#sdk/manifest.js';
import type { EgressClient } from '#kernel/egress/egress.client.js';
import { EgressRefusedError } from '#kernel/egress/egress-errors.js';
import { HubError, type FieldProblem } from '#kernel/errors/hub-error.js';
import { PluginEgressClients } from '../context/plugin-egress.clients.js';
import { listUrlFields } from './connection-schema.js';

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
