import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import type { Connection } from '../connections/connection.js';
import { fit, secretFields } from '../connections/connection-schema.js';
import { lockLive, saveSettings } from '../connections/connections.queries.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { PluginCatalogue, type ReadyPlugin } from '../plugin-catalogue.js';
import type { CrmSyncChangedDto, CrmSyncDto, CrmSyncStateDto, SettingChangeDto } from './crm-sync.dto.js';

/** The plugin that keeps CRMs in step, and the lowest plan that has it. */
const CRM = 'crm';
const MIN_PLAN = 'growth';

type Settings = Readonly<Record<string, unknown>>;

/** How a CRM is kept in step: the settings of the connection that the plugin `crm` has. */
@Injectable()
export class CrmSyncService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly catalogue: PluginCatalogue,
    private readonly connections: ConnectionsService,
  ) {}

  /** The settings as they work; says in words when there is no CRM. @throws HubError `plan_required` */
  async read({ workspaceId, plan }: Caller): Promise<CrmSyncStateDto> {
    if (!PlanGate.may(plan, MIN_PLAN)) throw HubError.planRequired(MIN_PLAN);
    const plugin = this.catalogue.ready(CRM);
    if (!plugin) return { ...NONE, message: HubError.pluginNotInstalled(CRM, this.reason()).detail! };
    const [connection] = await this.work.run(workspaceId, tx => this.connections.of(tx, CRM));
    return connection ? stateOf(plugin, connection, connection.settings) : NONE;
  }

  /**
   * Changes settings; those that are left out stay.
   * @throws HubError `plan_required`, `provider_required`, `plugin_not_installed`, `crm_not_connected`, and
   *   `invalid_request` for what is no setting of the plugin
   */
  change(caller: Caller, wish: CrmSyncDto, key?: IdempotencyKey): Promise<Answered<CrmSyncChangedDto>> {
    const { provider, dry_run: dryRun = false, ...settings } = wish;
    if (!PlanGate.may(caller.plan, MIN_PLAN)) throw HubError.planRequired(MIN_PLAN);
    if (!provider?.trim()) throw new HubError('provider_required');
    const plugin = this.catalogue.ready(CRM);
    if (!plugin) throw HubError.pluginNotInstalled(CRM, this.reason());
    const answer = (tx: Tx) => this.changeIn(tx, plugin, { provider, settings, dryRun });
    return this.work.run(caller.workspaceId, tx => (dryRun ? answer(tx) : once(tx, key, () => answer(tx))));
  }

  private async changeIn(tx: Tx, plugin: ReadyPlugin, wish: CrmWish): Promise<Answered<CrmSyncChangedDto>> {
    const connection = await lockLive(tx, CRM);
    if (!connection || !isMeant(connection, plugin, wish.provider)) throw new HubError('crm_not_connected');
    const settings = { ...connection.settings, ...given(wish.settings) };
    const fitted = fit('settings', plugin.manifest.settings, settings);
    if (!fitted.ok) throw HubError.invalidRequest(fitted.problems.map(shortened));
    const diff = changesOf(connection.settings, settings);
    if (!wish.dryRun && diff.length > 0) {
      saveSettings(tx, connection.id, settings);
      tx.emit({ type: 'connection.connected', payload: { connection_id: connection.id, plugin: CRM } });
    }
    const state = stateOf(plugin, connection, settings);
    return new Answered({ ...state, dry_run_diff: diff, ...(wish.dryRun && { dry_run: true }) }, 200);
  }

  private reason(): string | undefined {
    return this.catalogue.list().find(({ id }) => id === CRM)?.reason;
  }
}

interface CrmWish {
  readonly provider: string;
  readonly settings: Settings;
  readonly dryRun: boolean;
}

const NONE: CrmSyncStateDto = {
  ok: false,
  sync_id: null,
  config: null,
  connected_providers: [],
  message: 'No CRM is connected.',
};

/** A plugin for several CRMs says in its setting `provider` which one it is connected to; others by their name. */
function isMeant({ settings }: Connection, { id, manifest }: ReadyPlugin, provider: string): boolean {
  const wanted = provider.trim().toLowerCase();
  const fitted = fit('settings', manifest.settings, settings);
  const connected = fitted.ok ? fitted.values['provider'] : settings['provider'];
  if (typeof connected === 'string') return connected.toLowerCase() === wanted;
  return wanted === id || manifest.displayName.toLowerCase().includes(wanted);
}

function stateOf({ manifest }: ReadyPlugin, connection: Connection, settings: Settings): CrmSyncStateDto {
  const fitted = fit('settings', manifest.settings, settings);
  const secret = secretFields(manifest.settings);
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

function changesOf(before: Settings, after: Settings): SettingChangeDto[] {
  return Object.entries(after).flatMap(([setting, to]) =>
    isDeepStrictEqual(before[setting], to) ? [] : [{ setting, from: before[setting] ?? null, to }],
  );
}

function given(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** The settings stand in the body itself. */
function shortened({ field, message }: { readonly field: string; readonly message: string }) {
  return { field: field.replace(/^settings\./, ''), message };
}
