import { outsideRequest, remainingMs } from '#kernel/context/request-context.js';
import { HubError } from '#kernel/errors/errors.js';

/** What became of one call of a batch: its answer, or the error that only this call meets. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly error: unknown };

/** How the transaction of a batch runs. */
export interface BatchTerms {
  readonly budgetMs: number;
  /** To be called when all statements have been answered and COMMIT is sent: the next batch may begin. */
  readonly onCommit: () => void;
}

/** Writes the calls of one batch in one transaction and gives an outcome for each, in their order. */
export type WriteBatch<Call, Answer> = (
  workspace: string,
  calls: readonly Call[],
  terms: BatchTerms,
) => Promise<Outcome<Answer>[]>;

/** How far calls are put together. */
export interface CoalescerLimits {
  /** Most transactions of one workspace at the same time, those that only wait for COMMIT among them. */
  readonly lanes: number;
  /** So many calls are worth a transaction beside one that works. */
  readonly worthwhile: number;
  /** Most calls in one transaction. */
  readonly calls: number;
  /** Most weight (rows) in one transaction; a single heavier call runs by itself. */
  readonly weight: number;
  /** How long a call may take when it belongs to no request. */
  readonly timeoutMs: number;
}

interface Waiting<Call, Answer> {
  readonly call: Call;
  readonly weight: number;
  readonly deadline: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane<Call, Answer> {
  /** Transactions that have not sent COMMIT yet. */
  working: number;
  /** Transactions that have not ended yet, the working ones among them. */
  open: number;
  timer: NodeJS.Timeout | undefined;
  readonly waiting: Waiting<Call, Answer>[];
}

/** How long calls wait for the transaction before them until they get one of their own. */
const PATIENCE_MS = 25;

/** A call with less time left than this is not begun: it would only take its batch down with it. */
const TOO_LATE_MS = 50;

/**
 * Group commit: while a transaction of a workspace works, the calls that arrive wait and share the next one, which
 * begins as soon as that one sends COMMIT: the wait for the disk is nobody's work. A call that finds the way free goes
 * at once, without a timer. A batch that fails is run again call by call, so that a call
 * which cannot be written fails alone.
 */
export class Coalescer<Call, Answer> {
  private readonly lanes = new Map<string, Lane<Call, Answer>>();

  constructor(
    private readonly write: WriteBatch<Call, Answer>,
    private readonly limits: CoalescerLimits,
  ) {}

  /** Has `call` written with whatever else waits. @param weight rows it brings, 1 or more. */
  submit(workspace: string, call: Call, weight: number): Promise<Answer> {
    const deadline = performance.now() + (remainingMs() ?? this.limits.timeoutMs);
    return new Promise((resolve, reject) => {
      const lane = this.laneOf(workspace);
      lane.waiting.push({ call, weight, deadline, resolve, reject });
      outsideRequest(() => this.pump(workspace, lane));
    });
  }

  private laneOf(workspace: string): Lane<Call, Answer> {
    let lane = this.lanes.get(workspace);
    if (!lane) this.lanes.set(workspace, (lane = { working: 0, open: 0, timer: undefined, waiting: [] }));
    return lane;
  }

  /** @param impatient begin a second transaction also for a few calls: the first one takes its time. */
  private pump(workspace: string, lane: Lane<Call, Answer>, impatient = false): void {
    while (this.mayBegin(lane, impatient)) this.begin(workspace, lane);
    if (lane.waiting.length > 0 && lane.open < this.limits.lanes) this.lookAgain(workspace, lane);
  }

  private begin(workspace: string, lane: Lane<Call, Answer>): void {
    lane.open++;
    lane.working++;
    let works = true;
    const rest = () => {
      if (works) lane.working--;
      works = false;
    };
    const onCommit = () => {
      rest();
      this.pump(workspace, lane);
    };
    void this.runBatch(workspace, this.takeBatch(lane), onCommit).finally(() => {
      rest();
      lane.open--;
      if (lane.open === 0 && lane.waiting.length === 0) this.lanes.delete(workspace);
      else this.pump(workspace, lane);
    });
  }

  /**
   * Beside a transaction that works only one for many calls is begun at once: each call costs the more the fewer share
   * a transaction. But none waits long for one that is stuck.
   */
  private mayBegin({ working, open, waiting }: Lane<Call, Answer>, impatient: boolean): boolean {
    if (open >= this.limits.lanes || waiting.length === 0) return false;
    return working === 0 || impatient || waiting.length >= this.limits.worthwhile;
  }

  private lookAgain(workspace: string, lane: Lane<Call, Answer>): void {
    lane.timer ??= setTimeout(() => {
      lane.timer = undefined;
      this.pump(workspace, lane, true);
    }, PATIENCE_MS);
  }

  private takeBatch(lane: Lane<Call, Answer>): Waiting<Call, Answer>[] {
    let weight = 0;
    const size = lane.waiting.findIndex((next, i) => {
      weight += next.weight;
      return i > 0 && (i >= this.limits.calls || weight > this.limits.weight);
    });
    return lane.waiting.splice(0, size === -1 ? lane.waiting.length : size);
  }

  private async runBatch(
    workspace: string,
    batch: readonly Waiting<Call, Answer>[],
    onCommit: () => void,
  ): Promise<void> {
    const now = performance.now();
    const late = batch.filter(({ deadline }) => deadline - now < TOO_LATE_MS);
    for (const { reject } of late) reject(HubError.unavailable('The write waited too long; nothing was changed.'));
    const timely = batch.filter(waiting => !late.includes(waiting));
    if (timely.length === 0) return;
    const budgetMs = Math.min(...timely.map(({ deadline }) => deadline)) - now;
    try {
      const outcomes = await this.write(
        workspace,
        timely.map(({ call }) => call),
        { budgetMs, onCommit },
      );
      timely.forEach((waiting, i) => settle(waiting, outcomes[i]!));
    } catch (error) {
      await this.failAlone(workspace, timely, error, onCommit);
    }
  }

  /** What the database cannot do for anybody now is told to all; any other failure is traced to the call it belongs to. */
  private async failAlone(
    workspace: string,
    batch: readonly Waiting<Call, Answer>[],
    error: unknown,
    onCommit: () => void,
  ): Promise<void> {
    const forAll = batch.length === 1 || (error instanceof HubError && error.code === 'unavailable');
    if (forAll) for (const { reject } of batch) reject(error);
    else for (const waiting of batch) await this.runBatch(workspace, [waiting], onCommit);
  }
}

function settle<Call, Answer>({ resolve, reject }: Waiting<Call, Answer>, outcome: Outcome<Answer>): void {
  if ('error' in outcome) reject(outcome.error);
  else resolve(outcome.answer);
}
