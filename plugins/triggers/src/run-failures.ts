import { Injectable } from '@nestjs/common';
import type { HubContext, PluginEvent } from '@rapport/plugin-sdk';
import { findDelivered, listEndpoints, savePlans } from './delivery-store.js';
import { buildRunMessage } from './message.js';
import { buildDelivery } from './outgoing.js';
import { plugin } from './plugin.js';

/** Creates deliveries for failed runs, each only once. Filters are about entities, so they do not apply. */
@Injectable()
export class RunFailurePlanner {
  @plugin.OnEvent('run.failed')
  async plan({ id: key, payload, occurredAt }: PluginEvent<'run.failed'>, hub: HubContext): Promise<void> {
    const message = buildRunMessage(payload, occurredAt.toISOString());
    const endpoints = await listEndpoints(hub.store);
    const listeners = endpoints.filter(({ events }) => events.includes(message.type));
    if (listeners.length === 0) return;
    if ((await findDelivered(hub.store, [key])).size === 0) {
      const outgoing = { message, key, subjectId: payload.run_id };
      const now = hub.clock.now().toISOString();
      const deliveries = listeners.map(each => [each.id, buildDelivery(outgoing, each, now)] as const);
      await savePlans(hub.store, [{ observation: key, deliveries }]);
    }
    for (const { id } of listeners) await hub.jobs.emit('deliver', { endpoint: id }, { key: id, wake: true });
  }
}
