import type { JobManifest } from '#sdk/manifest.parts.js';

/** Injection token of the {@link JobSettings}. */
export const JOB_SETTINGS = Symbol.for('rapport:plugin-job-settings');

/** How jobs of plugins travel. Tests make it quicker; nothing else changes it. */
export interface JobSettings {
  /** Jobs of one workspace in the queue of one plugin at most; the others wait their turn in the database. */
  readonly perWorkspace: number;
  /** Most jobs that are handed out in one transaction. */
  readonly batch: number;
  /** How long the queue may take to accept them, in milliseconds. */
  readonly addTimeoutMs: number;
  /** How often waiting jobs are looked for anyway, in milliseconds. */
  readonly pollEveryMs: number;
  /** How often jobs that a plan had locked out are looked for, in milliseconds. */
  readonly unlockEveryMs: number;
  /** How often jobs that were queued and never ended are looked for, in milliseconds. */
  readonly reapEveryMs: number;
  /** After how long a queued job is handed out again, in milliseconds; the queue drops it while it knows it. */
  readonly overdueAfterMs: number;
}

/** What plugins' jobs travel by. */
export const jobDefaults: JobSettings = {
  perWorkspace: 10,
  batch: 200,
  addTimeoutMs: 2_000,
  pollEveryMs: 1_000,
  unlockEveryMs: 5_000,
  reapEveryMs: 30_000,
  overdueAfterMs: 60_000,
};

/** How one kind of job is run. */
export interface Running {
  readonly attempts: number;
  readonly backoff: { readonly type: 'fixed' | 'exponential'; readonly delayMs: number };
  readonly timeoutMs: number;
  readonly concurrency: number;
}

/** For events and webhooks, of which a manifest says nothing. */
const deliveries: Running = {
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 1_000 },
  timeoutMs: 30_000,
  concurrency: 5,
};

/** How a job of the manifest is run; without one: how events and webhooks are. */
export function runningOf(declared?: JobManifest): Running {
  const { attempts, backoff, timeoutMs, concurrency } = declared ?? {};
  return {
    attempts: attempts ?? deliveries.attempts,
    backoff: backoff ?? deliveries.backoff,
    timeoutMs: timeoutMs ?? deliveries.timeoutMs,
    concurrency: concurrency ?? (declared ? 1 : deliveries.concurrency),
  };
}

const LONGEST_PAUSE_MS = 6 * 3_600_000;

/** The pause after the `failures`th failed try in milliseconds, at most six hours: the same, or doubled each time. */
export function pauseAfter({ backoff: { type, delayMs } }: Running, failures: number): number {
  const grown = type === 'fixed' ? delayMs : delayMs * 2 ** (failures - 1);
  return Math.min(grown, LONGEST_PAUSE_MS);
}
