import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/auth/caller.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import type { Connection } from '#plugin-host/connections/connection.js';
import { validateFields, listSecretFields, omitFields } from '#plugin-host/connections/connection-schema.js';
import { ConnectionsService } from '#plugin-host/connections/connections.service.js';
import { PluginRegistry, type ReadyPlugin } from '#plugin-host/host/plugin.registry.js';
import type { CrmSyncUpdateResult, UpdateCrmSync, CrmSync, SettingChange } from './crm-sync.dto.js';

/** The plugin that synchronizes CRMs, and the lowest plan that includes it. */
const CRM_PLUGIN = 'crm';
const MIN_PLAN = 'growth';

type Settings = Readonly<Record<string, unknown>>;

/** Reads and changes the settings of CRM synchronization, which are those of the connection of the plugin `crm`. */
@Injectable()
export class CrmSyncService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly registry: PluginRegistry,
    private readonly connections: ConnectionsService,
  ) {}

  /** Returns the effective settings. If no CRM is connected, `message` says so. @throws HubError `plan_required` */
  async read({ workspaceId, plan }: Caller): Promise<CrmSync> {
    if (!PlanGate.isAllowed(plan, MIN_PLAN)) throw HubError.planRequired(MIN_PLAN);
    const plugin = this.registry.findReady(CRM_PLUGIN);
    if (!plugin)
      return { ...NOT_CONNECTED, message: HubError.pluginNotInstalled(CRM_PLUGIN, this.findNotReadyReason()).detail! };
    const [connection] = await this.work.run(workspaceId, tx => this.connections.listActive(tx, CRM_PLUGIN));
    return connection ? toCrmSync(plugin, connection, connection.settings) : NOT_CONNECTED;
  }

  /**
   * Changes settings; omitted ones stay.
   * @throws HubError `plan_required`, `provider_required`, `plugin_not_installed`, `crm_not_connected`, and
   *   `invalid_request` for unknown or invalid settings of the plugin
   */
  change(caller: Caller, input: UpdateCrmSync, key?: IdempotencyKey): Promise<HandlerResponse<CrmSyncUpdateResult>> {
    const { provider, dry_run: dryRun = false, ...settings } = input;
    if (!PlanGate.isAllowed(caller.plan, MIN_PLAN)) throw HubError.planRequired(MIN_PLAN);
    if (!provider?.trim()) throw new HubError('provider_required');
    const plugin = this.registry.findReady(CRM_PLUGIN);
    if (!plugin) throw HubError.pluginNotInstalled(CRM_PLUGIN, this.findNotReadyReason());
    const apply = (tx: Tx) => this.applyChange(tx, plugin, { provider, settings, dryRun });
    return this.work.run(caller.workspaceId, tx => (dryRun ? apply(tx) : runOnce(tx, key, () => apply(tx))));
  }

  private async applyChange(
    tx: Tx,
    plugin: ReadyPlugin,
    input: CrmSyncInput,
  ): Promise<HandlerResponse<CrmSyncUpdateResult>> {
    const connection = await this.connections.lockActive(tx, CRM_PLUGIN);
    if (!connection || !matchesProvider(connection, plugin, input.provider)) throw new HubError('crm_not_connected');
    const settings = { ...connection.settings, ...omitUndefined(input.settings) };
    const fitted = validateFields('settings', plugin.manifest.settings, settings);
    if (!fitted.ok) throw HubError.invalidRequest(fitted.problems.map(stripSettingsPrefix));
    const diff = diffSettings(connection.settings, settings);
    if (!input.dryRun && diff.length > 0) {
      this.connections.saveSettings(tx, connection.id, settings);
      const secret = listSecretFields(plugin.manifest.settings);
      recordAct(tx, {
        action: 'integration.change',
        objectId: connection.id,
        before: { plugin: CRM_PLUGIN, settings: omitFields(connection.settings, secret) },
        after: { plugin: CRM_PLUGIN, settings: omitFields(settings, secret) },
      });
      tx.emit({ type: 'connection.connected', payload: { connection_id: connection.id, plugin: CRM_PLUGIN } });
    }
    const state = toCrmSync(plugin, connection, settings);
    return new HandlerResponse({ ...state, dry_run_diff: diff, ...(input.dryRun && { dry_run: true }) }, 200);
  }

  private findNotReadyReason(): string | undefined {
    return this.registry.list().find(({ id }) => id === CRM_PLUGIN)?.reason;
  }
}

interface CrmSyncInput {
  readonly provider: string;
  readonly settings: Settings;
  readonly dryRun: boolean;
}

const NOT_CONNECTED: CrmSync = {
  ok: false,
  sync_id: null,
  config: null,
  connected_providers: [],
  message: 'No CRM is connected.',
};

/**
 * Returns whether the connection is to this provider. A plugin for several CRMs has a setting `provider`; another one
 * is matched by its name.
 */
function matchesProvider({ settings }: Connection, { id, manifest }: ReadyPlugin, provider: string): boolean {
  const requested = provider.trim().toLowerCase();
  const fitted = validateFields('settings', manifest.settings, settings);
  const connected = fitted.ok ? fitted.values['provider'] : settings['provider'];
  if (typeof connected === 'string') return connected.toLowerCase() === requested;
  return requested === id || manifest.displayName.toLowerCase().includes(requested);
}

function toCrmSync({ manifest }: ReadyPlugin, connection: Connection, settings: Settings): CrmSync {
  const fitted = validateFields('settings', manifest.settings, settings);
  const secret = listSecretFields(manifest.settings);
  const config = Object.entries(fitted.ok ? fitted.values : settings).filter(([name]) => !secret.includes(name));
  const provider = typeof settings['provider'] === 'string' ? settings['provider'] : connection.plugin;
  return {
    ok: true,
    sync_id: connection.id,
    config: { provider, ...Object.fromEntries(config) },
    connected_providers: [provider],
    message: `${manifest.displayName} is connected.`,
  };
}

function diffSettings(before: Settings, after: Settings): SettingChange[] {
  return Object.entries(after).flatMap(([setting, to]) =>
    isDeepStrictEqual(before[setting], to) ? [] : [{ setting, from: before[setting] ?? null, to }],
  );
}

function omitUndefined(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Renames the fields of problems: the settings are in the body itself, not in `settings`. */
function stripSettingsPrefix({ field, message }: { readonly field: string; readonly message: string }) {
  return { field: field.replace(/^settings\./, ''), message };
}
