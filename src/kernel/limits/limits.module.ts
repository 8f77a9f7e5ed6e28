import { Global, Logger, Module, type Provider } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { DurableCounters, PostgresUsageStore, RedisUsageStore, UsageSweeper } from './usage-store.js';
import { HeldResponses, PublicRateLimiter } from './public-rate-limiter.js';
import { SharedCounters } from './shared-counters.js';
import { WorkspaceRateLimiter } from './rate-limit.guard.js';

/** Counts requests in Redis if there is one, else in PostgreSQL. */
const sharedCountersProvider: Provider = {
  provide: SharedCounters,
  useFactory: ({ redisUrl }: Env, work: UnitOfWork) => {
    if (redisUrl === undefined) return new SharedCounters(new PostgresUsageStore(work));
    return new SharedCounters(new RedisUsageStore(redisUrl, new Logger('limits')));
  },
  inject: [ENV, UnitOfWork],
};

const durableCountersProvider: Provider = {
  provide: DurableCounters,
  useFactory: (work: UnitOfWork) => new DurableCounters(new PostgresUsageStore(work)),
  inject: [UnitOfWork],
};

/** Limits of callers: by network without an API key, and by workspace with one. */
@Global()
@Module({
  providers: [
    HeldResponses,
    PublicRateLimiter,
    UsageSweeper,
    WorkspaceRateLimiter,
    durableCountersProvider,
    sharedCountersProvider,
  ],
  exports: [DurableCounters, HeldResponses, PublicRateLimiter, SharedCounters, WorkspaceRateLimiter],
})
export class LimitsModule {}
