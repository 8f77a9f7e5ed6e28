import { Injectable } from '@nestjs/common';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import { HUB_PACKAGE } from '#kernel/version.js';

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
