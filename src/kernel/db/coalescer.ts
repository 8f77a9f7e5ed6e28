import { outsideRequest, remainingMs } from '#kernel/context/request-context.js';
import { HubError } from '#kernel/errors/errors.js';

/** What became of one call of a batch: its answer, or the error that only this call meets. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly error: unknown };

/** Writes the calls of one batch in one transaction, in time, and gives an outcome for each, in their order. */
export type WriteBatch<Call, Answer> = (
  workspace: string,
  calls: readonly Call[],
  terms: { readonly budgetMs: number },
) => Promise<Outcome<Answer>[]>;

/** How far calls are put together. */
export interface CoalescerLimits {
  /** Most transactions of one workspace at the same time. */
  readonly lanes: number;
  /** So many calls are worth a transaction of their own, at once and beside others that hold no more than they are. */
  readonly worthwhile: number;
  /** Most calls in one transaction. */
  readonly calls: number;
  /** Most weight (rows) in one transaction; a single heavier call runs by itself. So much is begun at once. */
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
  /** Transactions that have not ended yet. */
  open: number;
  /** How many calls are in those. */
  inHand: number;
  /** How many calls were here just before the last answers were given: who gets one may come back at once. */
  crowd: number;
  /** When it ended, on the clock of `performance`. */
  endedAt: number;
  timer: NodeJS.Timeout | undefined;
  readonly waiting: Waiting<Call, Answer>[];
}

/** How long calls wait for the transaction before them until they get one of their own. */
const PATIENCE_MS = 25;

/** How long calls wait for those that were answered a moment ago, to share the next transaction with them. */
const GATHER_MS = 2;

/** A call with less time left than this is not begun: it would only take its batch down with it. */
const TOO_LATE_MS = 50;

/**
 * Group commit: while a transaction of a workspace works, the calls that arrive wait and share the next one. Callers
 * that work one call after the other come back when they are answered, so the next transaction gives them a moment:
 * half full ones by turns would cost twice as much. Many callers come to share two transactions by turns, half of them
 * in each, so that one is read and written while the other is with the database. A call that comes alone goes at once,
 * without a timer. A batch that fails is run again call by call, so that a call which cannot be written fails alone.
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
    if (!lane) {
      lane = { open: 0, inHand: 0, crowd: 0, endedAt: 0, timer: undefined, waiting: [] };
      this.lanes.set(workspace, lane);
    }
    return lane;
  }

  /** @param impatient begin also for a few calls: those that they wait for take their time. */
  private pump(workspace: string, lane: Lane<Call, Answer>, impatient = false): void {
    while (this.mayBegin(lane, impatient)) this.begin(workspace, lane);
    if (lane.open < this.limits.lanes) lane.timer ??= this.lookAgain(workspace, lane);
  }

  private mayBegin({ open, inHand, waiting, crowd, endedAt }: Lane<Call, Answer>, impatient: boolean): boolean {
    const { lanes, calls, weight, worthwhile } = this.limits;
    if (open >= lanes || waiting.length === 0) return false;
    if (impatient || waiting.length >= Math.min(Math.max(worthwhile, inHand), calls)) return true;
    if (weightOf(waiting) >= weight) return true;
    return open === 0 && (waiting.length >= crowd || performance.now() - endedAt >= GATHER_MS);
  }

  private begin(workspace: string, lane: Lane<Call, Answer>): void {
    lane.open++;
    forgetTimer(lane);
    const batch = this.takeBatch(lane);
    lane.inHand += batch.length;
    const count = () => void (lane.crowd = batch.length + lane.waiting.length);
    void this.runBatch(workspace, batch, count).finally(() => {
      lane.open--;
      lane.inHand -= batch.length;
      lane.endedAt = performance.now();
      forgetTimer(lane);
      if (lane.open === 0 && lane.crowd === 1 && lane.waiting.length === 0) this.lanes.delete(workspace);
      else this.pump(workspace, lane);
    });
  }

  /** Nobody waits long for calls that do not come, nor for a transaction that is stuck. */
  private lookAgain(workspace: string, lane: Lane<Call, Answer>): NodeJS.Timeout {
    const look = () => {
      lane.timer = undefined;
      if (lane.open === 0 && lane.waiting.length === 0) this.lanes.delete(workspace);
      else if (lane.waiting.length > 0) this.pump(workspace, lane, true);
    };
    return setTimeout(look, lane.open === 0 ? GATHER_MS : PATIENCE_MS);
  }

  private takeBatch(lane: Lane<Call, Answer>): Waiting<Call, Answer>[] {
    let weight = 0;
    const size = lane.waiting.findIndex((next, i) => {
      weight += next.weight;
      return i > 0 && (i >= this.limits.calls || weight > this.limits.weight);
    });
    return lane.waiting.splice(0, size === -1 ? lane.waiting.length : size);
  }

  /** @param beforeAnswers called when the outcomes are known and nobody has been told yet. */
  private async runBatch(
    workspace: string,
    batch: readonly Waiting<Call, Answer>[],
    beforeAnswers?: () => void,
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
        { budgetMs },
      );
      beforeAnswers?.();
      timely.forEach((waiting, i) => settle(waiting, outcomes[i]!));
    } catch (error) {
      await this.failAlone(workspace, timely, error);
    }
  }

  /** What the database cannot do for anybody now is told to all; any other failure is traced to the call it belongs to. */
  private async failAlone(workspace: string, batch: readonly Waiting<Call, Answer>[], error: unknown): Promise<void> {
    const forAll = batch.length === 1 || (error instanceof HubError && error.code === 'unavailable');
    if (forAll) for (const { reject } of batch) reject(error);
    else for (const waiting of batch) await this.runBatch(workspace, [waiting]);
  }
}

function settle<Call, Answer>({ resolve, reject }: Waiting<Call, Answer>, outcome: Outcome<Answer>): void {
  if ('error' in outcome) reject(outcome.error);
  else resolve(outcome.answer);
}

function weightOf(waiting: readonly { readonly weight: number }[]): number {
  return waiting.reduce((sum, { weight }) => sum + weight, 0);
}

function forgetTimer(lane: { timer: NodeJS.Timeout | undefined }): void {
  clearTimeout(lane.timer);
  lane.timer = undefined;
}
