import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { settlesWithin, withTimeout } from '#kernel/scheduling/timeout.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { ReadinessService } from './readiness.service.js';

/** How long requests in flight may take to finish, in milliseconds. */
const DRAIN_TIMEOUT_MS = 10_000;
/** How long everything else may take after them, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;
const SWEEP_INTERVAL_MS = 20;
const SHUTDOWN_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Drains an application: readiness returns 503, new connections are refused, requests in flight are completed, and
 * then its modules close. Requests that are still open after `timeoutMs` are cut off.
 * @returns whether all of them completed.
 */
export async function drain(app: INestApplication, timeoutMs = DRAIN_TIMEOUT_MS): Promise<boolean> {
  app.get(ReadinessService).drain();
  const server: Server = app.getHttpServer();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
  const inTime = await settlesWithin(timeoutMs, closeServer(server));
  clearInterval(sweep);
  server.closeAllConnections();
  await app.close();
  return inTime;
}

/** Options of {@link closeOnSignals}. */
export interface ShutdownOptions {
  /** Closes everything that was started; usually calls {@link drain}. */
  readonly close: () => Promise<unknown>;
  readonly log: Log;
  /** Exits the process. Default `process.exit`. */
  readonly exit?: (code: number) => void;
}

/**
 * Shuts the process down on SIGTERM and SIGINT: exit code 0 if `close` succeeds, 1 if it fails or takes longer than
 * 15 s. A second signal exits at once.
 * @returns a function that removes the signal handlers.
 */
export function closeOnSignals({ close, log, exit = process.exit }: ShutdownOptions): () => void {
  let closing = false;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (closing) return exit(1);
    closing = true;
    log.info({ signal }, 'shutting down');
    try {
      await withTimeout(DRAIN_TIMEOUT_MS + CLOSE_TIMEOUT_MS, close(), 'the shutdown');
      exit(0);
    } catch (err) {
      log.error({ err }, 'the shutdown failed');
      exit(1);
    }
  };
  for (const signal of SHUTDOWN_SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of SHUTDOWN_SIGNALS) process.off(signal, end);
  };
}

/** Stops accepting connections. The caller closes those that become idle later, because Node keeps them open. */
function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
  });
}
