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
import type { Run } from '#plugin-host/runs/runs.dto.js';
import { RunsService } from '#plugin-host/runs/runs.service.js';
import type { CrmSyncUpdateResult, UpdateCrmSync, CrmSync, SettingChange } from './crm-sync.dto.js';

/** The plugin that synchronizes CRMs, and the lowest plan that includes it. */
const CRM_PLUGIN = 'crm';
const MIN_PLAN = 'growth';
/** The run of the plugin that syncs. */
const SYNC_RUN = 'sync';

type Settings = Readonly<Record<string, unknown>>;

/** Reads and changes the settings of CRM synchronization, which are those of the connection of the plugin `crm`. */
@Injectable()
export class CrmSyncService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly registry: PluginRegistry,
    private readonly connections: ConnectionsService,
    private readonly runs: RunsService,
  ) {}

  /** Returns the effective settings and the newest sync. If no CRM is connected, `message` says so. @throws HubError `plan_required` */
  async read({ workspaceId, plan }: Caller): Promise<CrmSync> {
    if (!PlanGate.isAllowed(plan, MIN_PLAN)) throw HubError.planRequired(MIN_PLAN);
    const plugin = this.registry.findReady(CRM_PLUGIN);
    if (!plugin)
      return { ...NOT_CONNECTED, message: HubError.pluginNotInstalled(CRM_PLUGIN, this.findNotReadyReason()).detail! };
    return this.work.run(workspaceId, async tx => {
      const [connection] = await this.connections.listActive(tx, CRM_PLUGIN);
      if (!connection) return NOT_CONNECTED;
      const lastRun = await this.runs.findNewest(tx, CRM_PLUGIN, SYNC_RUN);
      return toCrmSync(plugin, connection, connection.settings, lastRun);
    });
  }

  /**
   * Changes settings, and starts a sync if that is wanted; omitted settings stay.
   * @throws HubError `plan_required`, `provider_required`, `plugin_not_installed`, `crm_not_connected`, and
   *   `invalid_request` for unknown or invalid settings of the plugin, and for a sync that it cannot start
   */
  async change(
    caller: Caller,
    input: UpdateCrmSync,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<CrmSyncUpdateResult>> {
    const { provider, dry_run: dryRun = false, start_sync: start, ...settings } = input;
    if (!PlanGate.isAllowed(caller.plan, MIN_PLAN)) throw HubError.planRequired(MIN_PLAN);
    if (!provider?.trim()) throw new HubError('provider_required');
    const plugin = this.registry.findReady(CRM_PLUGIN);
    if (!plugin) throw HubError.pluginNotInstalled(CRM_PLUGIN, this.findNotReadyReason());
    if (start !== undefined) requireStartable(plugin, dryRun);
    const apply = (tx: Tx) => this.applyChange(tx, plugin, { provider, settings, dryRun, start });
    const response = await this.work.run(caller.workspaceId, tx =>
      dryRun ? apply(tx) : runOnce(tx, key, () => apply(tx)),
    );
    if (start !== undefined) this.runs.wake();
    return response;
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
    if (input.start !== undefined) await this.startSync(tx, connection, input.start);
    const state = toCrmSync(plugin, connection, settings, await this.runs.findNewest(tx, CRM_PLUGIN, SYNC_RUN));
    return new HandlerResponse({ ...state, dry_run_diff: diff, ...(input.dryRun && { dry_run: true }) }, 200);
  }

  /** Starts a run as the plugin does for its own route: a sync and a dry run can go on side by side, but not two of a kind. */
  private async startSync(tx: Tx, { id }: Connection, start: SyncStart): Promise<void> {
    const isDryRun = start === 'dry_run';
    const input = { mode: start === 'full' ? 'full' : 'changes', dry_run: isDryRun };
    const scope = { workspaceId: tx.workspace, plugin: CRM_PLUGIN, connectionId: id };
    await this.runs.startWithin(tx, scope, { name: SYNC_RUN, input, key: isDryRun ? 'dry-run' : 'sync' });
  }

  private findNotReadyReason(): string | undefined {
    return this.registry.list().find(({ id }) => id === CRM_PLUGIN)?.reason;
  }
}

type SyncStart = NonNullable<UpdateCrmSync['start_sync']>;

interface CrmSyncInput {
  readonly provider: string;
  readonly settings: Settings;
  readonly dryRun: boolean;
  readonly start: SyncStart | undefined;
}

/** @throws HubError `invalid_request` if no sync can be started */
function requireStartable({ manifest }: ReadyPlugin, isDryRun: boolean): void {
  if (isDryRun)
    throw HubError.invalidField('start_sync', 'Settings that are not saved cannot be synced: leave out `dry_run`.');
  if (!manifest.runs?.[SYNC_RUN])
    throw HubError.invalidField('start_sync', `The installed plugin "${manifest.displayName}" has no syncs to start.`);
}

const NOT_CONNECTED: CrmSync = {
  ok: false,
  sync_id: null,
  config: null,
  connected_providers: [],
  message: 'No CRM is connected.',
  last_run: null,
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

function toCrmSync(
  { manifest }: ReadyPlugin,
  connection: Connection,
  settings: Settings,
  lastRun: Run | undefined,
): CrmSync {
  const fitted = validateFields('settings', manifest.settings, settings);
  const secret = listSecretFields(manifest.settings);
  const effective = fitted.ok ? fitted.values : settings;
  const config = Object.entries(effective).filter(([name]) => !secret.includes(name));
  const provider = typeof effective['provider'] === 'string' ? effective['provider'] : connection.plugin;
  return {
    ok: true,
    sync_id: connection.id,
    config: { provider, ...Object.fromEntries(config) },
    connected_providers: [provider],
    message: `${manifest.displayName} is connected.`,
    last_run: lastRun ?? null,
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
