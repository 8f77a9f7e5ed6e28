import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { InboundEventStore } from './inbound-event.store.js';
import { PayloadLoaders } from '../../jobs/payload.loaders.js';
import type { PluginJobRecord } from '../../jobs/plugin-job.js';

/** Loads the stored webhook of a job for its handler. */
@Injectable()
export class InboundPayloadLoader implements OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly events: InboundEventStore,
    private readonly loaders: PayloadLoaders,
  ) {}

  onModuleInit(): void {
    this.loaders.register('inbound', job => this.load(job));
  }

  private load({ workspaceId, payload }: PluginJobRecord): Promise<unknown> {
    const { inbound_id: id } = payload as { readonly inbound_id: string };
    return this.work.run(workspaceId, tx => this.events.read(tx, id));
  }
}
