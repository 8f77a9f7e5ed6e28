import { isProtectedPath } from '../auth/api-key.guard.js';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createRateLimitedError, setRateLimitHeaders, type WorkspaceRateLimiter } from './rate-limit.guard.js';
import { readClientAddress, toNetwork } from './client-address.js';
import type { PublicRateLimiter } from './public-rate-limiter.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { remainingMs } from '#kernel/request-context.js';
import { FairGate } from '#kernel/scheduling/cooperative-scheduler.js';

/** How long a refusal is held by default, in milliseconds. */
const HOLD_MS = 1_000;
/** Maximum number of responses that are held at the same time. */
const MAX_HELD = 2_000;
/** Maximum number of responses to one network that are held at the same time. */
const MAX_HELD_PER_NETWORK = 500;

/**
 * Delays refusals, so that a caller who ignores them sends at most one request per connection and second. A held
 * response costs a timer; beyond {@link MAX_HELD} responses are not delayed, and their connection is closed.
 */
@Injectable()
export class HeldResponses {
  private readonly heldByNetwork = new Map<string, number>();
  private heldCount = 0;

  /** Returns the number of responses that are held now. */
  get held(): number {
    return this.heldCount;
  }

  /**
   * Waits before a refusal is sent.
   * @param network network of the caller, see `toNetwork`
   * @param maxPerNetwork maximum number of held responses of this network
   * @returns whether the response was held; if not, too many are held already
   */
  async hold(network: string, delayMs = HOLD_MS, maxPerNetwork = MAX_HELD_PER_NETWORK): Promise<boolean> {
    const heldHere = this.heldByNetwork.get(network) ?? 0;
    if (this.heldCount >= MAX_HELD || heldHere >= maxPerNetwork) return false;
    this.heldCount++;
    this.heldByNetwork.set(network, heldHere + 1);
    try {
      await pause(delayMs);
    } finally {
      this.release(network);
    }
    return true;
  }

  private release(network: string): void {
    this.heldCount--;
    const left = this.heldByNetwork.get(network)! - 1;
    if (left === 0) this.heldByNetwork.delete(network);
    else this.heldByNetwork.set(network, left);
  }
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

/** Webhooks have limits of their own, because a provider may send many from one address. */
const WEBHOOK_PATH = /^\/hooks\//;

/**
 * Limits requests to public paths by network before anything else is done for them. Paths that need a key are limited
 * where the key is rejected.
 */
export function limitPublicRequests(fastify: FastifyInstance, limiter: PublicRateLimiter): void {
  fastify.addHook('onRequest', (request, _, done) => {
    if (isProtectedPath(request.url) || WEBHOOK_PATH.test(request.url)) return done();
    limiter.admit(toNetwork(readClientAddress(request))).then(() => done(), done);
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
