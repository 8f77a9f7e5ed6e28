import { Injectable, type INestApplication } from '@nestjs/common';
import { withTimeout, settlesWithin } from '#kernel/scheduling/timeout.js';
import { HUB_PACKAGE } from '#kernel/version.js';
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';
import type { Log } from '#kernel/telemetry/logger.js';

/** Time limit of a probe in milliseconds. */
const PROBE_TIMEOUT_MS = 1_000;

/** Checks a dependency; throws, or returns `false` or `'down'`, if it does not work. */
export type Probe = () => unknown;

/** Response of the readiness endpoint. `draining`: the process is shutting down and accepts no new work. */
export interface Readiness {
  readonly status: 'ready' | 'not_ready' | 'draining';
  /** Version of the hub that this process runs. */
  readonly version: string;
  readonly dependencies: Readonly<Record<string, 'up' | 'down'>>;
  /** Further details by name with the state of each; they do not affect readiness. */
  readonly [detail: string]: unknown;
}

/** Returns states by name for the response; reads only memory. */
export type ReadinessDetail = () => Readonly<Record<string, string>> | undefined;

/** Options of {@link ReadinessService.addProbe}. */
export interface ProbeOptions {
  /** Whether the process is not ready while the dependency is down; otherwise its state is only shown. Default true. */
  readonly isRequired?: boolean;
}

/** Checks the dependencies that must work before this process receives requests. Each module adds its own probes. */
@Injectable()
export class ReadinessService {
  private readonly probes = new Map<string, Probe>();
  private readonly optional = new Set<string>();
  private readonly details = new Map<string, ReadinessDetail>();
  private readonly running = new Map<string, Promise<boolean>>();
  private draining = false;

  /** Adds a dependency under the name in the response. */
  addProbe(name: string, probe: Probe, { isRequired = true }: ProbeOptions = {}): void {
    this.probes.set(name, probe);
    if (!isRequired) this.optional.add(name);
  }

  /** Adds a detail that does not affect readiness. */
  addDetail(name: string, detail: ReadinessDetail): void {
    this.details.set(name, detail);
  }

  /** Reports `draining` from now on, so that load balancers stop sending requests. */
  drain(): void {
    this.draining = true;
  }

  /** Returns whether {@link drain} was called. */
  get isDraining(): boolean {
    return this.draining;
  }

  /** Checks all dependencies concurrently, each for at most a second. The response does not contain failure reasons. */
  async check(): Promise<Readiness> {
    const states = await Promise.all([...this.probes].map(([name, probe]) => this.checkState(name, probe)));
    const ready = states.every(([name, state]) => state === 'up' || this.optional.has(name));
    const status = this.draining ? 'draining' : ready ? 'ready' : 'not_ready';
    const details = [...this.details].map(([name, detail]) => [name, detail()] as const);
    return {
      status,
      version: HUB_PACKAGE.version,
      dependencies: Object.fromEntries(states),
      ...Object.fromEntries(details),
    };
  }

  private async checkState(name: string, probe: Probe): Promise<[string, 'up' | 'down']> {
    const up = await withTimeout(PROBE_TIMEOUT_MS, this.runOnce(name, probe), name).catch(() => false);
    return [name, up ? 'up' : 'down'];
  }

  /** Never runs a probe concurrently with itself, so that one that hangs does not pile up. */
  private runOnce(name: string, probe: Probe): Promise<boolean> {
    const running = this.running.get(name);
    if (running) return running;
    const outcome = runProbe(probe).finally(() => this.running.delete(name));
    this.running.set(name, outcome);
    return outcome;
  }
}

async function runProbe(probe: Probe): Promise<boolean> {
  try {
    const result = await probe();
    return result !== false && result !== 'down';
  } catch {
    return false;
  }
}

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

/** Stops accepting connections. The caller closes those that become idle later, because Node keeps them open. */
function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
  });
}
