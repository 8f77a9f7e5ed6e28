import { Injectable } from '@nestjs/common';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import { HUB_PACKAGE } from '#kernel/version.js';

/** Milliseconds that a probe may take. */
const PROBE_TIMEOUT_MS = 1_000;

/** Looks whether something that we depend on works; throws, or gives `false` or `'down'`, when it does not. */
export type Probe = () => unknown;

/** What readiness says. `draining`: the process is about to end and wants no new work. */
export interface Readiness {
  readonly status: 'ready' | 'not_ready' | 'draining';
  /** Version of the hub that this process runs. */
  readonly version: string;
  readonly dependencies: Readonly<Record<string, 'up' | 'down'>>;
  /** What this process has besides, by name, with the state of each: nothing here makes it unready. */
  readonly [detail: string]: unknown;
}

/** Something to be told beside the dependencies, by name; asks nothing of anybody. */
export type ReadinessDetail = () => Readonly<Record<string, string>> | undefined;

/** What must work before this process should be sent requests. Every part of the house adds its own probe. */
@Injectable()
export class ReadinessService {
  private readonly probes = new Map<string, Probe>();
  private readonly details = new Map<string, ReadinessDetail>();
  private readonly running = new Map<string, Promise<boolean>>();
  private draining = false;

  /** Adds a dependency by the name that readiness shows it by. */
  addProbe(name: string, probe: Probe): void {
    this.probes.set(name, probe);
  }

  /** Adds something that readiness shows and does not depend on. */
  addDetail(name: string, detail: ReadinessDetail): void {
    this.details.set(name, detail);
  }

  /** From now on the answer is `draining`: whoever hands out requests should hand out none to this process. */
  drain(): void {
    this.draining = true;
  }

  /** Whether {@link drain} was called. */
  get isDraining(): boolean {
    return this.draining;
  }

  /** Asks all dependencies at once, each for a second at most. What failed and why stays inside. */
  async check(): Promise<Readiness> {
    const states = await Promise.all([...this.probes].map(([name, probe]) => this.checkState(name, probe)));
    const ready = states.every(([, state]) => state === 'up');
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

  /** A probe that hangs is not started again beside itself, however often readiness is asked for. */
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
