import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { settlesWithin, withTimeout } from '#kernel/scheduling/timeout.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { ReadinessService } from './readiness.service.js';

/** Milliseconds that requests in flight get to finish. */
const DRAIN_TIMEOUT_MS = 10_000;
/** Milliseconds that everything else gets after them. */
const CLOSE_TIMEOUT_MS = 5_000;
const SWEEP_INTERVAL_MS = 20;
const SHUTDOWN_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Lets an application finish: readiness turns 503, no new connection is accepted, requests in flight are answered, and
 * only then do its modules close. What is not answered after `patienceMs` is cut off.
 * @returns whether all of them were answered.
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

/** What is needed to end a process on a signal. */
export interface ShutdownOptions {
  /** Ends everything that was started; {@link drain} is the part that answers requests. */
  readonly close: () => Promise<unknown>;
  readonly log: Log;
  /** Ends the process. Default `process.exit`. */
  readonly exit?: (code: number) => void;
}

/**
 * Ends the process in good order on SIGTERM and SIGINT: exit code 0 when `close` went well, 1 when it failed or took
 * longer than 15 s. A second signal ends it at once.
 * @returns a function that stops listening to signals.
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

/** Connections that finish their request later are swept away by the caller: Node would let them live on. */
function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
  });
}
