import type { JobManifest } from '#sdk/manifest.parts.js';

/** Injection token of the {@link PluginJobOptions}. */
export const PLUGIN_JOB_OPTIONS = Symbol.for('rapport:plugin-job-settings');

/** How jobs of plugins travel. Tests make it quicker; nothing else changes it. */
export interface PluginJobOptions {
  /** Jobs of one workspace in the queue of one plugin at most; the others wait their turn in the database. */
  readonly maxQueuedPerWorkspace: number;
  /** Most jobs that are handed out in one transaction. */
  readonly batchSize: number;
  /** How long the queue may take to accept them, in milliseconds. */
  readonly addTimeoutMs: number;
  /** How often waiting jobs are looked for anyway, in milliseconds. */
  readonly pollIntervalMs: number;
  /** How often jobs that a plan had locked out are looked for, in milliseconds. */
  readonly releaseIntervalMs: number;
  /** How often jobs that were queued and never ended are looked for, in milliseconds. */
  readonly requeueIntervalMs: number;
  /** After how long a queued job is handed out again, in milliseconds; the queue drops it while it knows it. */
  readonly lostAfterMs: number;
}

/** What plugins' jobs travel by. */
export const DEFAULT_PLUGIN_JOB_OPTIONS: PluginJobOptions = {
  maxQueuedPerWorkspace: 10,
  batchSize: 200,
  addTimeoutMs: 2_000,
  pollIntervalMs: 1_000,
  releaseIntervalMs: 5_000,
  requeueIntervalMs: 30_000,
  lostAfterMs: 60_000,
};

/** How one kind of job is run. */
export interface JobPolicy {
  readonly attempts: number;
  readonly backoff: { readonly type: 'fixed' | 'exponential'; readonly delayMs: number };
  readonly timeoutMs: number;
  readonly concurrency: number;
}

/** For events and webhooks, of which a manifest says nothing. */
const DELIVERY_POLICY: JobPolicy = {
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 1_000 },
  timeoutMs: 30_000,
  concurrency: 5,
};

/** How a job of the manifest is run; without one: how events and webhooks are. */
export function resolveJobPolicy(declared?: JobManifest): JobPolicy {
  const { attempts, backoff, timeoutMs, concurrency } = declared ?? {};
  return {
    attempts: attempts ?? DELIVERY_POLICY.attempts,
    backoff: backoff ?? DELIVERY_POLICY.backoff,
    timeoutMs: timeoutMs ?? DELIVERY_POLICY.timeoutMs,
    concurrency: concurrency ?? (declared ? 1 : DELIVERY_POLICY.concurrency),
  };
}

const MAX_RETRY_DELAY_MS = 6 * 3_600_000;

/** The pause after the `failures`th failed try in milliseconds, at most six hours: the same, or doubled each time. */
export function computeRetryDelayMs({ backoff: { type, delayMs } }: JobPolicy, failures: number): number {
  const grown = type === 'fixed' ? delayMs : delayMs * 2 ** (failures - 1);
  return Math.min(grown, MAX_RETRY_DELAY_MS);
}
