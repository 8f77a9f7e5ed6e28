import type { FastifyInstance, FastifyRequest } from 'fastify';
import '../auth/auth.decorators.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { remainingMs } from '#kernel/request-context.js';
import { FairGate } from '#kernel/scheduling/fair-gate.js';

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
