import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';
import { settlesWithin, withTimeout } from '#kernel/scheduling/timeout.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { ReadinessService } from './readiness.service.js';

/** Signal of an orchestrator. Ctrl-C sends the other one, and nobody at a terminal wants to wait. */
const ORCHESTRATOR_SIGNAL = 'SIGTERM';
/** How long requests in flight may take to finish, in milliseconds. */
const DRAIN_TIMEOUT_MS = 10_000;
/** How long everything else may take after them, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;
const SWEEP_INTERVAL_MS = 20;
const PARENT_CHECK_INTERVAL_MS = 500;
const SHUTDOWN_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Drains an application: readiness returns 503, new connections are refused, requests in flight are completed, and
 * then its modules close. Requests that are still open after `timeoutMs` are cut off.
 * @returns whether all of them completed.
 */
export async function drain(app: INestApplication, timeoutMs = DRAIN_TIMEOUT_MS): Promise<boolean> {
  app.get(ReadinessService).drain();
  const server: Server = app.getHttpServer();
  const sweep = new PeriodicTimer({ intervalMs: SWEEP_INTERVAL_MS, run: () => server.closeIdleConnections() }).start();
  const inTime = await settlesWithin(timeoutMs, closeServer(server));
  await sweep.stop();
  server.closeAllConnections();
  await app.close();
  return inTime;
}

/** Options of {@link closeOnSignals}. */
export interface ShutdownOptions {
  /** Announces the shutdown to load balancers: readiness returns 503 from now on. */
  readonly announce?: () => void;
  /** Closes everything that was started; usually calls {@link drain}. */
  readonly close: () => Promise<unknown>;
  /**
   * How long the process serves on after SIGTERM, in milliseconds, so that load balancers notice before the port
   * closes. Default 0.
   */
  readonly delayMs?: number;
  /**
   * Process whose end counts as SIGTERM. npm runs its scripts in a shell, which does not pass signals on: without this, a
   * SIGTERM to `npm start` would end npm and leave the hub running. Default: none.
   */
  readonly parentPid?: number | undefined;
  readonly log: Log;
  /** Exits the process. Default `process.exit`. */
  readonly exit?: (code: number) => void;
}

/**
 * Shuts the process down on SIGTERM and SIGINT: exit code 0 if `close` succeeds, 1 if it fails or takes longer than
 * 15 s. SIGTERM is announced, and the process closes after `delayMs`; SIGINT closes it without delay. A second signal
 * exits at once.
 * @returns a function that removes the signal handlers.
 */
export function closeOnSignals(options: ShutdownOptions): () => void {
  const { announce, close, delayMs = 0, parentPid, log, exit = process.exit } = options;
  let closing = false;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (closing) return exit(1);
    closing = true;
    log.info({ signal }, 'shutting down');
    announce?.();
    try {
      if (signal === ORCHESTRATOR_SIGNAL && delayMs > 0) await pause(delayMs);
      await withTimeout(DRAIN_TIMEOUT_MS + CLOSE_TIMEOUT_MS, close(), 'the shutdown');
      exit(0);
    } catch (err) {
      log.error({ err }, 'the shutdown failed');
      exit(1);
    }
  };
  for (const signal of SHUTDOWN_SIGNALS) process.on(signal, end);
  const endWithParent = () => {
    if (!closing && process.ppid !== parentPid) void end(ORCHESTRATOR_SIGNAL);
  };
  const watch = new PeriodicTimer({ intervalMs: PARENT_CHECK_INTERVAL_MS, run: endWithParent });
  if (parentPid !== undefined) watch.start();
  return () => {
    void watch.stop();
    for (const signal of SHUTDOWN_SIGNALS) process.off(signal, end);
  };
}

/**
 * Asks clients for a new connection after each request that comes while the process drains. An idle connection that is closed in
 * the moment its client sends a request would fail that request.
 */
export function closeConnectionsWhileDraining(fastify: FastifyInstance, readiness: ReadinessService): void {
  // Not on responses to earlier requests: another one may already stand behind them on the same connection.
  fastify.addHook('onRequest', (_request, reply, done) => {
    if (readiness.isDraining) reply.header('connection', 'close');
    done();
  });
}

/** Stops accepting connections. The caller closes those that become idle later, because Node keeps them open. */
function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
  });
}
