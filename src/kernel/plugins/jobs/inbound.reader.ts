import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { InboundEvents } from '../inbound/inbound-events.js';
import { JobReaders } from './job-readers.js';
import type { PluginJob } from './plugin-job.js';

/** Shows a kept webhook to its handler; one that was forgotten meanwhile is gone. */
@Injectable()
export class InboundReader implements OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly events: InboundEvents,
    private readonly readers: JobReaders,
  ) {}

  onModuleInit(): void {
    this.readers.add('inbound', job => this.read(job));
  }

  private read({ workspaceId, payload }: PluginJob): Promise<unknown> {
    const { inbound_id: id } = payload as { readonly inbound_id: string };
    return this.work.run(workspaceId, tx => this.events.read(tx, id));
  }
}
