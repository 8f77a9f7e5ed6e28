import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Caller } from '#kernel/auth/caller.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { type CounterRef, SharedCounters } from './shared-counters.js';

/** Seconds over which requests are counted; all of a window's requests may come at once. */
export const WINDOW_SECONDS = 5;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
/** Counters last for a few windows, because the clocks of processes differ. */
const COUNTER_TTL_MS = 6 * WINDOW_MS;
const MAX_DEBTORS = 10_000;

/** How much of its limit a workspace has used. */
export interface RateUsage {
  /** Requests per window. */
  readonly limit: number;
  readonly remaining: number;
  /** Whether the request was admitted. */
  readonly isAdmitted: boolean;
  readonly secondsToReset: number;
}

/**
 * Limits each workspace to the requests per second of its plan, counted over five seconds and over all its keys and
 * all processes. A request is admitted while anything is left and is charged in full; what it exceeds is charged to the
 * next windows.
 */
@Injectable()
export class WorkspaceRateLimiter {
  /** What a workspace owes from the window before, by workspace and window. */
  private readonly debts = new LRUCache<string, { readonly window: number; readonly amount: number }>({
    max: MAX_DEBTORS,
  });

  constructor(
    @Inject(ENV) private readonly env: Pick<Env, 'rateLimits'>,
    private readonly counters: SharedCounters,
  ) {}

  /** Returns the usage of a workspace without charging anything; undefined if its plan has no limit. */
  check({ workspaceId, plan }: Pick<Caller, 'workspaceId' | 'plan'>, nowMs = Date.now()): RateUsage | undefined {
    const limit = this.env.rateLimits[plan] * WINDOW_SECONDS;
    if (limit === 0) return undefined;
    const window = Math.floor(nowMs / WINDOW_MS);
    const used = this.counters.read(toRef(workspaceId, window)) + this.debtOf(workspaceId, window, limit);
    return {
      limit,
      remaining: Math.max(0, limit - used),
      isAdmitted: used < limit,
      secondsToReset: Math.max(1, Math.ceil(((window + 1) * WINDOW_MS - nowMs) / 1_000)),
    };
  }

  /** Charges a request if anything is left; undefined if the plan has no limit. @param cost see `computeRequestCost` */
  consume(caller: Pick<Caller, 'workspaceId' | 'plan'>, cost: number, nowMs = Date.now()): RateUsage | undefined {
    const usage = this.check(caller, nowMs);
    if (!usage?.isAdmitted) return usage;
    this.counters.add(toRef(caller.workspaceId, Math.floor(nowMs / WINDOW_MS)), cost);
    return { ...usage, remaining: Math.max(0, usage.remaining - cost) };
  }

  /** Returns what earlier windows exceeded. The windows between were idle and paid it off. */
  private debtOf(workspaceId: string, window: number, limit: number): number {
    const known = this.debts.get(workspaceId);
    if (known?.window === window) return known.amount;
    const from = Math.max(known?.window ?? window - 1, window - MAX_WINDOWS_OF_DEBT);
    let amount = known && known.window === from ? known.amount : 0;
    for (let each = from; each < window; each++) {
      amount = Math.max(0, amount + this.counters.read(toRef(workspaceId, each)) - limit);
    }
    this.debts.set(workspaceId, { window, amount });
    return amount;
  }
}

const MAX_WINDOWS_OF_DEBT = 12;

function toRef(workspaceId: string, period: number): CounterRef {
  return { workspaceId, name: 'requests', period, ttlMs: COUNTER_TTL_MS };
}
