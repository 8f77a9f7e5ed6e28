import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Order, Report } from './worker.js';

/** A subject that takes longer in all does not grow in proportion, whatever its ratio. */
const MAX_SUBJECT_MS = 40_000;

/** What was measured. */
export interface Measured {
  readonly count: number;
  /** A sentence for each subject whose time grows faster than its text. */
  readonly offenders: readonly string[];
}

/** Measures all subjects of a kind. One that does not end is stopped, and is an offender. */
export async function measureGrowth(kind: Order['kind']): Promise<Measured> {
  const offenders: string[] = [];
  for (let from = 0; ;) {
    const { stoppedAt, name, count } = await runFrom({ kind, from }, offenders);
    if (stoppedAt === undefined) return { count, offenders };
    offenders.push(`${name} did not end within ${MAX_SUBJECT_MS} ms`);
    from = stoppedAt + 1;
  }
}

async function runFrom(
  order: Order,
  offenders: string[],
): Promise<{ stoppedAt?: number; name: string; count: number }> {
  const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData: order });
  const ended = once(worker, 'exit');
  let [at, name, count, isStopped] = [order.from, '', 0, false];
  const stop = () => {
    isStopped = true;
    void worker.terminate();
  };
  let timer = setTimeout(stop, MAX_SUBJECT_MS);
  worker.on('message', (report: Report) => {
    if ('measured' in report) count = report.measured;
    if ('growth' in report) offenders.push(sentenceFor(report));
    if (!('begins' in report)) return;
    [at, name] = [report.begins, report.name];
    clearTimeout(timer);
    timer = setTimeout(stop, MAX_SUBJECT_MS);
  });
  try {
    await ended;
  } finally {
    clearTimeout(timer);
  }
  return { ...(isStopped && { stoppedAt: at }), name, count };
}

function sentenceFor({ name, attack, growth }: Extract<Report, { growth: unknown }>): string {
  const [short, long] = growth.lengths;
  const [fast, slow] = growth.ms.map(Math.round);
  return `${name}: ${fast} ms for ${short} characters, ${slow} ms for ${long}, on ${JSON.stringify(attack)}`;
}
