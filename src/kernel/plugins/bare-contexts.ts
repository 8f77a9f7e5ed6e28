import { Injectable, Logger } from '@nestjs/common';
import { PermanentError } from '#sdk/errors.js';
import type { HubContext } from '#sdk/hub-context.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { DeliveryContexts, type DeliveryWish } from './delivery-contexts.js';
import { EmittedJobs, singletonOf } from './jobs/emitted-jobs.js';

const refuse = () => Promise.reject(new PermanentError('There are no connections in this hub.'));

/** The hub without connections: plugins have their jobs, their events and a log, and nothing else. */
@Injectable()
export class BareContexts extends DeliveryContexts {
  private readonly log = new Logger('plugins');

  constructor(
    private readonly work: UnitOfWork,
    private readonly jobs: EmittedJobs,
  ) {
    super();
  }

  async of({ workspaceId, plugin: { id: plugin }, signal }: DeliveryWish): Promise<HubContext> {
    const say = (level: 'debug' | 'log' | 'warn' | 'error') => (message: string) =>
      this.log[level]({ msg: message, plugin });
    return {
      graph: { record: refuse, note: refuse, find: refuse, people: { upsert: refuse } },
      store: { get: refuse, put: refuse, delete: refuse },
      jobs: {
        emit: (name, payload, { key, delayMs = 0 } = {}) => {
          const singleton = key === undefined ? {} : { singleton: singletonOf(null, name, key) };
          return this.jobs.add(workspaceId, [
            { plugin, kind: 'job', name, payload, connectionId: null, delayMs, ...singleton },
          ]);
        },
      },
      events: { emit: (type, payload) => this.work.run(workspaceId, async tx => tx.emit({ type, payload })) },
      credentials: {},
      settings: {},
      http: { request: refuse },
      clock: { now: () => new Date() },
      log: { debug: say('debug'), info: say('log'), warn: say('warn'), error: say('error') },
      signal,
    };
  }

  forCall(wish: Omit<DeliveryWish, 'connectionId'>): Promise<HubContext> {
    return this.of({ ...wish, connectionId: null });
  }

  async liveConnection(): Promise<string | undefined> {
    return undefined;
  }
}
