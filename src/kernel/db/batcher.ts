import { runDetached, remainingMs } from '#kernel/request-context.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** Outcome of one call of a batch: its result, or the error of this call alone. */
export type BatchOutcome<Result> = { readonly result: Result } | { readonly error: unknown };

/**
 * Writes the calls of a batch in one transaction within `budgetMs` and returns an outcome for each, in the same
 * order.
 */
export type BatchHandler<Call, Result> = (
  workspace: string,
  calls: readonly Call[],
  options: { readonly budgetMs: number },
) => Promise<BatchOutcome<Result>[]>;

/** Limits of a {@link Batcher}. */
export interface BatcherOptions {
  /** Maximum number of concurrent transactions of one workspace. */
  readonly maxConcurrent: number;
  /** Maximum number of calls in a transaction. */
  readonly maxBatch: number;
  /** Maximum total weight (rows) of a transaction; a single heavier call runs alone. */
  readonly maxWeight: number;
  /** How long queued calls wait for callers that just got a result and may return, in milliseconds. */
  readonly lingerMs: number;
  /** Time limit of a call outside any request, in milliseconds. */
  readonly timeoutMs: number;
}

interface QueuedCall<Call, Result> {
  readonly call: Call;
  readonly weight: number;
  readonly deadline: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface BatchQueue<Call, Result> {
  /** Number of open transactions. */
  openTransactions: number;
  /** Number of calls in the open transactions. */
  inFlightCalls: number;
  /** Batch size plus queue depth when the last batch finished; used to guess how many callers will return. */
  lastQueueDepth: number;
  /** When the last transaction ended, in milliseconds of `performance.now()`. */
  lastEndedAt: number;
  timer: NodeJS.Timeout | undefined;
  readonly queued: QueuedCall<Call, Result>[];
}

/** How long queued calls wait for an open transaction before they get their own, in milliseconds. */
const MAX_WAIT_MS = 25;

/** Share of a full batch that starts a transaction beside open ones: smaller ones would cost more than they gain. */
const MIN_CONCURRENT_SHARE = 1 / 4;

/** A call with less time left than this is rejected: it would make its whole batch fail. In milliseconds. */
const MIN_REMAINING_MS = 50;

/**
 * Implements group commit: calls that arrive during a transaction of their workspace share the next one. Sequential
 * callers return soon after their result, so the next transaction waits for them for a moment: alternating half-full
 * transactions would cost twice as much. Many callers settle into two alternating transactions with half of them in
 * each, so that one is parsed and encoded while the other is in the database. A single call starts at once without a
 * timer. After a failure each call of the batch is retried alone, so that an invalid call fails alone.
 */
export class Batcher<Call, Result> {
  private readonly queues = new Map<string, BatchQueue<Call, Result>>();

  constructor(
    private readonly handleBatch: BatchHandler<Call, Result>,
    private readonly options: BatcherOptions,
  ) {}

  /**
   * Queues a call for the next batch.
   * @param weight number of rows it writes, 1 or more.
   */
  submit(workspace: string, call: Call, weight: number): Promise<Result> {
    const deadline = performance.now() + (remainingMs() ?? this.options.timeoutMs);
    return new Promise((resolve, reject) => {
      const queue = this.getQueue(workspace);
      queue.queued.push({ call, weight, deadline, resolve, reject });
      runDetached(() => this.schedule(workspace, queue));
    });
  }

  private getQueue(workspace: string): BatchQueue<Call, Result> {
    let queue = this.queues.get(workspace);
    if (!queue) {
      queue = {
        openTransactions: 0,
        inFlightCalls: 0,
        lastQueueDepth: 0,
        lastEndedAt: 0,
        timer: undefined,
        queued: [],
      };
      this.queues.set(workspace, queue);
    }
    return queue;
  }

  /** @param force start a batch even for a few calls, because the open transactions take long. */
  private schedule(workspace: string, queue: BatchQueue<Call, Result>, force = false): void {
    while (this.canStart(queue, force)) this.startBatch(workspace, queue);
    if (queue.openTransactions < this.options.maxConcurrent) queue.timer ??= this.armTimer(workspace, queue);
  }

  private canStart(queue: BatchQueue<Call, Result>, force: boolean): boolean {
    const { openTransactions, inFlightCalls, queued, lastQueueDepth, lastEndedAt } = queue;
    const { maxConcurrent, maxBatch, maxWeight, lingerMs } = this.options;
    if (openTransactions >= maxConcurrent || queued.length === 0) return false;
    if (force || sumWeights(queued) >= maxWeight) return true;
    if (queued.length >= Math.min(Math.max(maxBatch * MIN_CONCURRENT_SHARE, inFlightCalls), maxBatch)) return true;
    return openTransactions === 0 && (queued.length >= lastQueueDepth || performance.now() - lastEndedAt >= lingerMs);
  }

  private startBatch(workspace: string, queue: BatchQueue<Call, Result>): void {
    queue.openTransactions++;
    clearTimer(queue);
    const batch = this.takeBatch(queue);
    queue.inFlightCalls += batch.length;
    const recordDepth = () => void (queue.lastQueueDepth = batch.length + queue.queued.length);
    void this.runBatch(workspace, batch, recordDepth).finally(() => {
      queue.openTransactions--;
      queue.inFlightCalls -= batch.length;
      queue.lastEndedAt = performance.now();
      clearTimer(queue);
      if (queue.openTransactions === 0 && queue.lastQueueDepth === 1 && queue.queued.length === 0)
        this.queues.delete(workspace);
      else this.schedule(workspace, queue);
    });
  }

  /** Bounds the wait for further calls and for a transaction that is stuck. */
  private armTimer(workspace: string, queue: BatchQueue<Call, Result>): NodeJS.Timeout {
    const onTimer = () => {
      queue.timer = undefined;
      if (queue.openTransactions === 0 && queue.queued.length === 0) this.queues.delete(workspace);
      else if (queue.queued.length > 0) this.schedule(workspace, queue, true);
    };
    return setTimeout(onTimer, queue.openTransactions === 0 ? this.options.lingerMs : MAX_WAIT_MS);
  }

  private takeBatch(queue: BatchQueue<Call, Result>): QueuedCall<Call, Result>[] {
    const { maxBatch, maxWeight } = this.options;
    let weight = 0;
    const size = queue.queued.findIndex((next, i) => {
      weight += next.weight;
      return i > 0 && (i >= maxBatch || weight > maxWeight);
    });
    return queue.queued.splice(0, size === -1 ? queue.queued.length : size);
  }

  /** @param onOutcomes called when the outcomes are known and before any call is settled. */
  private async runBatch(
    workspace: string,
    batch: readonly QueuedCall<Call, Result>[],
    onOutcomes?: () => void,
  ): Promise<void> {
    const now = performance.now();
    const expired = batch.filter(({ deadline }) => deadline - now < MIN_REMAINING_MS);
    for (const { reject } of expired) reject(HubError.unavailable('The write waited too long; nothing was changed.'));
    const runnable = batch.filter(waiting => !expired.includes(waiting));
    if (runnable.length === 0) return;
    const budgetMs = Math.min(...runnable.map(({ deadline }) => deadline)) - now;
    try {
      const outcomes = await this.handleBatch(
        workspace,
        runnable.map(({ call }) => call),
        { budgetMs },
      );
      onOutcomes?.();
      runnable.forEach((waiting, i) => settleCall(waiting, outcomes[i]!));
    } catch (error) {
      await this.retryIndividually(workspace, runnable, error);
    }
  }

  /** Rejects all calls if the database is unavailable; retries each call alone after any other failure. */
  private async retryIndividually(
    workspace: string,
    batch: readonly QueuedCall<Call, Result>[],
    error: unknown,
  ): Promise<void> {
    const failsForAll = batch.length === 1 || (error instanceof HubError && error.code === 'unavailable');
    if (failsForAll) for (const { reject } of batch) reject(error);
    else for (const waiting of batch) await this.runBatch(workspace, [waiting]);
  }
}

function settleCall<Call, Result>({ resolve, reject }: QueuedCall<Call, Result>, outcome: BatchOutcome<Result>): void {
  if ('error' in outcome) reject(outcome.error);
  else resolve(outcome.result);
}

function sumWeights(waiting: readonly { readonly weight: number }[]): number {
  return waiting.reduce((sum, { weight }) => sum + weight, 0);
}

function clearTimer(queue: { timer: NodeJS.Timeout | undefined }): void {
  clearTimeout(queue.timer);
  queue.timer = undefined;
}
