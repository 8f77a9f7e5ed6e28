import { BullRegistrar } from '@nestjs/bullmq';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubQueue } from './hub-queue.js';
import { JobProcessor } from './hub-worker.js';

/** Opens the queues of the hub at its start, and its workers in the roles `all` and `worker`. */
@Injectable()
export class QueueWorkersService implements OnApplicationBootstrap {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly registrar: BullRegistrar,
    private readonly discovery: DiscoveryService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const instances = this.discovery.getProviders().map(({ instance }): unknown => instance);
    const queues = instances.filter(instance => instance instanceof HubQueue);
    await Promise.all(queues.map(queue => queue.whenUsable()));
    if (this.env.role === 'api') return;
    this.registrar.register();
    const processors = instances.filter(instance => instance instanceof JobProcessor);
    await Promise.all(processors.map(processor => processor.hubWorker.start()));
  }
}
