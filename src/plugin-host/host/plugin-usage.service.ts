import { Injectable } from '@nestjs/common';
import type { Plan } from '#domain/plans/tiers.js';
import type { Tx } from '#kernel/db/transaction.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { DeliveryContextFactory, requiresConnection } from '../context/delivery-context.factory.js';
import { type EnabledPlugin, PluginRegistry } from './plugin.registry.js';
import { NO_CONNECTION, HAS_KEY_WITH_PREFIX } from '../store/plugin-store.js';

/** How a workspace uses a plugin. */
export interface PluginUsage {
  /** At least one; null stands for a plugin without a connection. */
  readonly connectionIds: readonly (string | null)[];
}

/** Determines which plugins a workspace uses. */
@Injectable()
export class PluginUsageService {
  constructor(
    private readonly registry: PluginRegistry,
    private readonly contexts: DeliveryContextFactory,
  ) {}

  /** Returns how the workspace uses a plugin: undefined if it does not, `locked` if its plan does not include it. */
  async findUsage(tx: Tx, plugin: EnabledPlugin): Promise<PluginUsage | 'locked' | undefined> {
    const [workspace] = await tx.query<{ plan: Plan }>('SELECT plan FROM workspaces WHERE id = $1', [tx.workspace]);
    if (!workspace || !PlanGate.isAllowed(workspace.plan, plugin.manifest.minPlan)) return 'locked';
    const connectionIds = await this.contexts.listConnectionIds(tx, plugin.id);
    if (connectionIds.length === 0 && requiresConnection(plugin)) return undefined;
    if (plugin.manifest.dormant && !(await isActivated(tx, plugin))) return undefined;
    return { connectionIds: connectionIds.length > 0 ? connectionIds : [null] };
  }

  /** Returns whether any plugin that the workspace uses consumes events of this type. */
  async hasConsumer(tx: Tx, type: string): Promise<boolean> {
    for (const plugin of this.registry.listConsumers(type)) {
      const usage = await this.findUsage(tx, plugin);
      if (usage !== undefined && usage !== 'locked') return true;
    }
    return false;
  }
}

/** Returns whether a dormant plugin has a stored value that activates it; such a plugin has no connections. */
async function isActivated(tx: Tx, { id, manifest: { dormant } }: EnabledPlugin): Promise<boolean> {
  const prefix = typeof dormant === 'string' ? dormant : '';
  return (await tx.query(HAS_KEY_WITH_PREFIX, [tx.workspace, id, NO_CONNECTION, prefix])).length > 0;
}
