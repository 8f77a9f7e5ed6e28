import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Caller } from '#kernel/auth/caller.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { type CounterRef, SharedCounters } from './shared-counters.js';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { remainingMs } from '#kernel/request-context.js';
import { FairGate } from '#kernel/scheduling/cooperative-scheduler.js';
import '../auth/caller.guard.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** Rows (observations, leads, people), sent or requested, that cost as much as a request. */
const ROWS_PER_POINT = 100;
/** Bytes of a body that cost as much as a request. */
const BYTES_PER_POINT = 64 * 1024;
/** A higher `limit` is refused by every operation, and costs no more. */
const MAX_REQUESTED_ROWS = 1000;

/**
 * Returns how many requests a request counts for: each call of an MCP batch is one, and each full hundred of rows that
 * it sends or asks for (`limit`) and each full 64 KB of the body is one more. A plain request costs 1.
 * @param body the parsed JSON body, if there is one
 * @param bytes size of the body, 0 if unknown
 * @param limit the query parameter of that name, if there is one
 */
export function computeRequestCost(body: unknown, bytes: number, limit?: unknown): number {
  const calls = Array.isArray(body) ? Math.max(1, body.length) : 1;
  const rows = countRows(body) + readLimit(limit);
  return calls + Math.floor(rows / ROWS_PER_POINT) + Math.floor(bytes / BYTES_PER_POINT);
}

function readLimit(limit: unknown): number {
  const rows = typeof limit === 'string' || typeof limit === 'number' ? Number(limit) : 0;
  return Number.isFinite(rows) ? Math.min(Math.max(0, rows), MAX_REQUESTED_ROWS) : 0;
}

/** Counts the items of the lists in a body, or in the arguments of its MCP calls. */
function countRows(body: unknown): number {
  if (Array.isArray(body)) return body.reduce<number>((sum, call) => sum + countRows(call), 0);
  if (!isObject(body)) return 0;
  const { params } = body;
  return (
    countListItems(body) + (isObject(params) && isObject(params['arguments']) ? countListItems(params['arguments']) : 0)
  );
}

function countListItems(fields: Readonly<Record<string, unknown>>): number {
  const sent = Object.values(fields).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0);
  return sent + (typeof fields['limit'] === 'number' ? readLimit(fields['limit']) : 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

/** Whose requests are counted together: those of a workspace's programs, or those of its people. */
type RateSubject = Pick<Caller, 'workspaceId' | 'plan' | 'actor'>;

/**
 * Limits each workspace to the requests per second of its plan, counted over five seconds and over all its keys and
 * all processes. The people who are signed in to it have the same limit once more, so that a busy program never shuts
 * them out. A request is admitted while anything is left and is charged in full; what it exceeds is charged to the next
 * windows.
 */
@Injectable()
export class WorkspaceRateLimiter {
  /** What is owed from the window before, by workspace and counter. */
  private readonly debts = new LRUCache<string, { readonly window: number; readonly amount: number }>({
    max: MAX_DEBTORS,
  });

  constructor(
    @Inject(ENV) private readonly env: Pick<Env, 'rateLimits'>,
    private readonly counters: SharedCounters,
  ) {}

  /** Returns the usage of a workspace without charging anything; undefined if its plan has no limit. */
  check(caller: RateSubject, nowMs = Date.now()): RateUsage | undefined {
    const limit = this.env.rateLimits[caller.plan] * WINDOW_SECONDS;
    if (limit === 0) return undefined;
    const window = Math.floor(nowMs / WINDOW_MS);
    const used = this.counters.read(toRef(caller, window)) + this.debtOf(caller, window, limit);
    return {
      limit,
      remaining: Math.max(0, limit - used),
      isAdmitted: used < limit,
      secondsToReset: Math.max(1, Math.ceil(((window + 1) * WINDOW_MS - nowMs) / 1_000)),
    };
  }

  /** Charges a request if anything is left; undefined if the plan has no limit. @param cost see `computeRequestCost` */
  consume(caller: RateSubject, cost: number, nowMs = Date.now()): RateUsage | undefined {
    const usage = this.check(caller, nowMs);
    if (!usage?.isAdmitted) return usage;
    this.counters.add(toRef(caller, Math.floor(nowMs / WINDOW_MS)), cost);
    return { ...usage, remaining: Math.max(0, usage.remaining - cost) };
  }

  /** Returns what earlier windows exceeded. The windows between were idle and paid it off. */
  private debtOf(caller: RateSubject, window: number, limit: number): number {
    const key = `${caller.workspaceId} ${counterNameOf(caller)}`;
    const known = this.debts.get(key);
    if (known?.window === window) return known.amount;
    const from = Math.max(known?.window ?? window - 1, window - MAX_WINDOWS_OF_DEBT);
    let amount = known && known.window === from ? known.amount : 0;
    for (let each = from; each < window; each++) {
      amount = Math.max(0, amount + this.counters.read(toRef(caller, each)) - limit);
    }
    this.debts.set(key, { window, amount });
    return amount;
  }
}

const MAX_WINDOWS_OF_DEBT = 12;

function toRef(caller: RateSubject, period: number): CounterRef {
  return { workspaceId: caller.workspaceId, name: counterNameOf(caller), period, ttlMs: COUNTER_TTL_MS };
}

function counterNameOf({ actor }: RateSubject): string {
  return actor.kind === 'person' ? 'requests of people' : 'requests';
}

/**
 * Limits the programs and the people of every workspace to the requests per second of its plan. Must run after the guard
 * that sets the caller; requests without a caller pass, because they are limited by network.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limiter: WorkspaceRateLimiter) {}

  /** @throws HubError `rate_limited` with the seconds to wait. */
  canActivate(context: ExecutionContext): boolean {
    const { caller, body, headers, query } = context.getArgByIndex<FastifyRequest>(0);
    // A file is limited by its size and by the storage of the plan.
    const isUpload = body instanceof Readable;
    const cost = isUpload
      ? 1
      : computeRequestCost(body, Number(headers['content-length'] ?? 0) || 0, (query as { limit?: unknown }).limit);
    const usage = caller && this.limiter.consume(caller, cost);
    if (!usage) return true;
    setRateLimitHeaders(context.getArgByIndex<FastifyReply>(1), usage);
    if (!usage.isAdmitted) throw createRateLimitedError(usage);
    return true;
  }
}

/** Sets the RateLimit headers of a response. */
export function setRateLimitHeaders(reply: FastifyReply, { limit, remaining, secondsToReset }: RateUsage): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', secondsToReset);
}

/** Creates the error for a workspace that used its limit. */
export function createRateLimitedError({ secondsToReset }: RateUsage): HubError {
  return new HubError('rate_limited', { retryAfterSeconds: secondsToReset });
}

/** Refuses a request before its body is read if its workspace has used its limit. Runs after the key was looked up. */
export function rejectExhaustedWorkspaces(fastify: FastifyInstance, limiter: WorkspaceRateLimiter): void {
  fastify.addHook('onRequest', ({ caller }, reply, done) => {
    const usage = caller && limiter.check(caller);
    if (!usage || usage.isAdmitted) return done();
    setRateLimitHeaders(reply, usage);
    done(createRateLimitedError(usage));
  });
}

/** Bytes of a body from which on a request counts as heavy: extraction, long notes, lists of rows, batches. */
export const HEAVY_BODY_BYTES = 8 * 1024;
/** Maximum number of heavy requests of a process that are read and processed at the same time. */
const MAX_HEAVY = 16;
/** Maximum number of heavy requests of a workspace at the same time. */
export const MAX_HEAVY_PER_WORKSPACE = 4;

/**
 * Bounds the heavy requests that a workspace has processed at the same time. Others of the workspace wait, before their
 * body is read, for their turn; workspaces alternate. A request that gets no turn within its time limit gets
 * a 503. Small requests never wait. Runs after the key was looked up.
 */
export function queueHeavyRequests(fastify: FastifyInstance): void {
  const gate = new FairGate({
    maxTotal: MAX_HEAVY,
    maxShared: MAX_HEAVY_PER_WORKSPACE,
    maxAlone: MAX_HEAVY_PER_WORKSPACE,
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const { caller } = request;
    if (!caller || !isHeavy(request)) return done();
    const owner = caller.workspaceId;
    let isClosed = false;
    let hasEntered = false;
    // Emitted after the response, and also if the client hangs up while it waits.
    reply.raw.once('close', () => {
      isClosed = true;
      if (hasEntered) gate.leave(owner);
    });
    const enter = () => {
      if (isClosed) return gate.leave(owner);
      hasEntered = true;
      done();
    };
    if (gate.tryEnter(owner)) return enter();
    const refuse = (error: unknown) =>
      done(
        HubError.unavailable('Other large requests of this workspace were still running; nothing was changed.', error),
      );
    gate.enter(owner, Math.max(1, remainingMs() ?? 1)).then(enter, refuse);
  });
}

/** Returns whether a body is large, or of unknown length. */
function isHeavy({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) >= HEAVY_BODY_BYTES;
}
