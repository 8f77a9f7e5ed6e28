import { Injectable } from '@nestjs/common';
import type { Plan } from '#domain/plans/tiers.js';
import type { Tx } from '#kernel/db/transaction.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { DeliveryContexts, needsConnection } from './delivery-contexts.js';
import { type ExpectedPlugin, PluginCatalogue } from './plugin-catalogue.js';
import { NO_CONNECTION } from './store/plugin-store.js';
import { HAS_PREFIX } from './store/store.queries.js';

/** How a workspace uses a plugin. */
export interface PluginUse {
  /** Null for a plugin without a connection. */
  readonly connectionId: string | null;
}

/** Which plugins a workspace uses. */
@Injectable()
export class PluginUses {
  constructor(
    private readonly catalogue: PluginCatalogue,
    private readonly contexts: DeliveryContexts,
  ) {}

  /** How the workspace uses a plugin; undefined when it does not, `locked` when its plan does not include it. */
  async of(tx: Tx, plugin: ExpectedPlugin): Promise<PluginUse | 'locked' | undefined> {
    const [workspace] = await tx.query<{ plan: Plan }>('SELECT plan FROM workspaces WHERE id = $1', [tx.workspace]);
    if (!workspace || !PlanGate.may(workspace.plan, plugin.manifest.minPlan)) return 'locked';
    const connectionId = await this.contexts.liveConnection(tx, plugin.id);
    if (connectionId === undefined && needsConnection(plugin)) return undefined;
    if (plugin.manifest.dormant && !(await isInUse(tx, plugin))) return undefined;
    return { connectionId: connectionId ?? null };
  }

  /** Whether any plugin that the workspace uses takes events of this type. */
  async anyTakes(tx: Tx, type: string): Promise<boolean> {
    for (const plugin of this.catalogue.consumersOf(type)) {
      const use = await this.of(tx, plugin);
      if (use !== undefined && use !== 'locked') return true;
    }
    return false;
  }
}

/** Whether a plugin, which has no connections, keeps for the workspace what wakes it. */
async function isInUse(tx: Tx, { id, manifest: { dormant } }: ExpectedPlugin): Promise<boolean> {
  const prefix = typeof dormant === 'string' ? dormant : '';
  return (await tx.query(HAS_PREFIX, [tx.workspace, id, NO_CONNECTION, prefix])).length > 0;
}
