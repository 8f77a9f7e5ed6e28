import { Injectable } from '@nestjs/common';
import type { ConnectionOption } from '#sdk/lifecycle.js';
import type { Caller } from '#kernel/auth/caller.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { parseConnectRequest, resolveProvider } from './connect.input.js';
import type { ConnectionRef } from './connection-lookup.js';
import { listOptionFields } from './connection-schema.js';
import { ConnectionUpgradeService } from './connection-upgrade.service.js';
import { ConnectionUrlsService } from './connection-urls.service.js';
import { MAX_OPTIONS } from './connections.dto.js';
import type { PendingConnection } from './connections.service.js';
import { LifecycleError, LifecycleRunner } from './lifecycle.runner.js';
import { type ConnectablePlugin, PluginDirectory } from './plugin.directory.js';

const TIMEOUT_MS = 8_000;

/** The setting, and what to look for. */
export interface OptionsInput extends PendingConnection {
  readonly field: string;
  readonly query?: string | undefined;
}

/** Options of a setting that come from the provider. */
export interface OptionsResponse {
  readonly options: ConnectionOption[];
  readonly has_more: boolean;
}

/** Reads from providers which values a setting can have, such as pipelines, owners or lists. */
@Injectable()
export class ConnectionOptionsService {
  constructor(
    private readonly directory: PluginDirectory,
    private readonly runner: LifecycleRunner,
    private readonly urls: ConnectionUrlsService,
    private readonly upgrades: ConnectionUpgradeService,
  ) {}

  /**
   * Returns the options of a setting, with the saved credentials or with sent ones that are not saved.
   * @throws HubError those of `findConnection`, `invalid_request` for a setting without such options, `unknown_provider`, `plan_required`,
   *   `plugin_not_ready`, `not_connected`, `invalid_credentials`, `provider_refused`, `provider_unreachable`
   */
  async list(
    caller: Caller,
    ref: ConnectionRef,
    { field, query = '', ...pending }: OptionsInput,
  ): Promise<OptionsResponse> {
    const plugin = resolveProvider(this.directory, caller.plan, ref.plugin);
    requireOptionField(plugin, field);
    const values = await this.readValues(caller, plugin, { ...pending, connectionId: ref.id });
    const test = { workspaceId: caller.workspaceId, ...values };
    const found = await this.runner.listOptions(plugin, test, { field, query }, TIMEOUT_MS).catch(throwProviderError);
    return { options: found.slice(0, MAX_OPTIONS), has_more: found.length > MAX_OPTIONS };
  }

  private async readValues(
    { workspaceId, plan }: Caller,
    plugin: ConnectablePlugin,
    { connectionId, ...pending }: PendingConnection & { readonly connectionId: string | undefined },
  ) {
    if (pending.credentials) {
      const input = parseConnectRequest(this.directory, plan, { ...pending, provider: plugin.id });
      await this.urls.check(plugin.manifest, input);
      return { credentials: input.credentials, settings: input.settings };
    }
    const { connection, credentials, tokens } = await this.upgrades.open(workspaceId, plugin, connectionId);
    return { credentials, settings: connection.settings, tokens };
  }
}

function requireOptionField({ manifest, lifecycle }: ConnectablePlugin, field: string): void {
  const known = lifecycle?.options ? listOptionFields(manifest.settings) : [];
  if (known.includes(field)) return;
  const message =
    known.length === 0
      ? `No setting of ${manifest.displayName} has options that come from the provider.`
      : `field must be one of ${known.join(', ')}: the settings whose options come from the provider.`;
  throw HubError.invalidRequest([{ field: 'field', message }]);
}

function throwProviderError(error: unknown): never {
  if (!(error instanceof LifecycleError)) throw error;
  throw new HubError(error.permanent ? 'provider_refused' : 'provider_unreachable', { detail: error.message });
}
