import { runDetached, remainingMs } from '#kernel/request-context.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** What became of one call of a batch: its answer, or the error that only this call meets. */
export type BatchOutcome<Answer> = { readonly result: Answer } | { readonly error: unknown };

/** Writes the calls of one batch in one transaction, in time, and gives an outcome for each, in their order. */
export type BatchHandler<Call, Answer> = (
  workspace: string,
  calls: readonly Call[],
  terms: { readonly budgetMs: number },
) => Promise<BatchOutcome<Answer>[]>;

/** How far calls are put together. */
export interface BatcherOptions {
  /** Most transactions of one workspace at the same time. */
  readonly maxConcurrent: number;
  /** So many calls are worth a transaction of their own, at once and beside others that hold no more than they are. */
  readonly minBatch: number;
  /** Most calls in one transaction. */
  readonly maxCalls: number;
  /** Most weight (rows) in one transaction; a single heavier call runs by itself. So much is begun at once. */
  readonly maxRows: number;
  /** How long a call may take when it belongs to no request. */
  readonly timeoutMs: number;
}

interface QueuedCall<Call, Answer> {
  readonly call: Call;
  readonly weight: number;
  readonly deadline: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface BatchQueue<Call, Answer> {
  /** Transactions that have not ended yet. */
  openTransactions: number;
  /** How many calls are in those. */
  inFlightCalls: number;
  /** How many calls were here just before the last answers were given: who gets one may come back at once. */
  lastQueueDepth: number;
  /** When it ended, on the clock of `performance`. */
  lastEndedAt: number;
  timer: NodeJS.Timeout | undefined;
  readonly queued: QueuedCall<Call, Answer>[];
}

/** How long calls wait for the transaction before them until they get one of their own. */
const MAX_WAIT_MS = 25;

/** How long calls wait for those that were answered a moment ago, to share the next transaction with them. */
const LINGER_MS = 2;

/** A call with less time left than this is not begun: it would only take its batch down with it. */
const MIN_REMAINING_MS = 50;

/**
 * Group commit: while a transaction of a workspace works, the calls that arrive wait and share the next one. Callers
 * that work one call after the other come back when they are answered, so the next transaction gives them a moment:
 * half full ones by turns would cost twice as much. Many callers come to share two transactions by turns, half of them
 * in each, so that one is read and written while the other is with the database. A call that comes alone goes at once,
 * without a timer. A batch that fails is run again call by call, so that a call which cannot be written fails alone.
 */
export class Batcher<Call, Answer> {
  private readonly queues = new Map<string, BatchQueue<Call, Answer>>();

  constructor(
    private readonly handleBatch: BatchHandler<Call, Answer>,
    private readonly options: BatcherOptions,
  ) {}

  /** Has `call` written with whatever else waits. @param weight rows it brings, 1 or more. */
  submit(workspace: string, call: Call, weight: number): Promise<Answer> {
    const deadline = performance.now() + (remainingMs() ?? this.options.timeoutMs);
    return new Promise((resolve, reject) => {
      const queue = this.getQueue(workspace);
      queue.queued.push({ call, weight, deadline, resolve, reject });
      runDetached(() => this.schedule(workspace, queue));
    });
  }

  private getQueue(workspace: string): BatchQueue<Call, Answer> {
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

  /** @param force begin also for a few calls: those that they wait for take their time. */
  private schedule(workspace: string, queue: BatchQueue<Call, Answer>, force = false): void {
    while (this.canStart(queue, force)) this.startBatch(workspace, queue);
    if (queue.openTransactions < this.options.maxConcurrent) queue.timer ??= this.armTimer(workspace, queue);
  }

  private canStart(
    { openTransactions, inFlightCalls, queued, lastQueueDepth, lastEndedAt }: BatchQueue<Call, Answer>,
    force: boolean,
  ): boolean {
    const { maxConcurrent, maxCalls, maxRows, minBatch } = this.options;
    if (openTransactions >= maxConcurrent || queued.length === 0) return false;
    if (force || queued.length >= Math.min(Math.max(minBatch, inFlightCalls), maxCalls)) return true;
    if (sumWeights(queued) >= maxRows) return true;
    return openTransactions === 0 && (queued.length >= lastQueueDepth || performance.now() - lastEndedAt >= LINGER_MS);
  }

  private startBatch(workspace: string, queue: BatchQueue<Call, Answer>): void {
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

  /** Nobody waits long for calls that do not come, nor for a transaction that is stuck. */
  private armTimer(workspace: string, queue: BatchQueue<Call, Answer>): NodeJS.Timeout {
    const onTimer = () => {
      queue.timer = undefined;
      if (queue.openTransactions === 0 && queue.queued.length === 0) this.queues.delete(workspace);
      else if (queue.queued.length > 0) this.schedule(workspace, queue, true);
    };
    return setTimeout(onTimer, queue.openTransactions === 0 ? LINGER_MS : MAX_WAIT_MS);
  }

  private takeBatch(queue: BatchQueue<Call, Answer>): QueuedCall<Call, Answer>[] {
    let weight = 0;
    const size = queue.queued.findIndex((next, i) => {
      weight += next.weight;
      return i > 0 && (i >= this.options.maxCalls || weight > this.options.maxRows);
    });
    return queue.queued.splice(0, size === -1 ? queue.queued.length : size);
  }

  /** @param onOutcomes called when the outcomes are known and nobody has been told yet. */
  private async runBatch(
    workspace: string,
    batch: readonly QueuedCall<Call, Answer>[],
    onOutcomes?: () => void,
  ): Promise<void> {
    const now = performance.now();
    const late = batch.filter(({ deadline }) => deadline - now < MIN_REMAINING_MS);
    for (const { reject } of late) reject(HubError.unavailable('The write waited too long; nothing was changed.'));
    const timely = batch.filter(waiting => !late.includes(waiting));
    if (timely.length === 0) return;
    const budgetMs = Math.min(...timely.map(({ deadline }) => deadline)) - now;
    try {
      const outcomes = await this.handleBatch(
        workspace,
        timely.map(({ call }) => call),
        { budgetMs },
      );
      onOutcomes?.();
      timely.forEach((waiting, i) => settleCall(waiting, outcomes[i]!));
    } catch (error) {
      await this.retryIndividually(workspace, timely, error);
    }
  }

  /** What the database cannot do for anybody now is told to all; any other failure is traced to the call it belongs to. */
  private async retryIndividually(
    workspace: string,
    batch: readonly QueuedCall<Call, Answer>[],
    error: unknown,
  ): Promise<void> {
    const forAll = batch.length === 1 || (error instanceof HubError && error.code === 'unavailable');
    if (forAll) for (const { reject } of batch) reject(error);
    else for (const waiting of batch) await this.runBatch(workspace, [waiting]);
  }
}

function settleCall<Call, Answer>({ resolve, reject }: QueuedCall<Call, Answer>, outcome: BatchOutcome<Answer>): void {
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
