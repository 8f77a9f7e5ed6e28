import { type Finding, verdictOf } from './report/finding.ts';
import { tableOf } from './report/table.ts';
import { account } from './scenarios/account.ts';
import { attach } from './scenarios/attach.ts';
import { imports } from './scenarios/imports.ts';
import { attention } from './scenarios/attention.ts';
import type { Bench, Measure } from './scenarios/bench.ts';
import { bulk } from './scenarios/bulk.ts';
import { calendar } from './scenarios/calendar.ts';
import { growth } from './scenarios/growth.ts';
import { hotEntity } from './scenarios/hot-entity.ts';
import { httpLayer } from './scenarios/http-layer.ts';
import { lists } from './scenarios/lists.ts';
import { longHistory } from './scenarios/long-history.ts';
import { loop } from './scenarios/loop.ts';
import { mcp } from './scenarios/mcp.ts';
import { neighbours } from './scenarios/neighbours.ts';
import { notesByMeaning, notesByWords } from './scenarios/notes.ts';
import { recordOnEight, recordOnMany } from './scenarios/record.ts';
import { score } from './scenarios/score.ts';
import { toolCall } from './scenarios/tool-call.ts';
import { start } from './scenarios/start.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { openPostgres } from './env/postgres.ts';
import { BenchEnvironment } from './env/bench-environment.ts';
import type { Options } from './options.ts';

/** What a run found out. */
export interface Report {
  readonly text: string;
  readonly json: object;
  /** False when an answer was wrong or missing; being slow is not wrong. */
  readonly correct: boolean;
}

/** Goals in the order in which they are measured. */
const goals: readonly (readonly [goal: string, measure: Measure])[] = [
  ['20', start],
  ['18', httpLayer],
  ['1', recordOnEight],
  ['1', growth],
  ['2', recordOnMany],
  ['3', hotEntity],
  ['5', mcp],
  ['6', bulk],
  ['7', longHistory],
  ['8', account],
  ['9', lists],
  ['10', score],
  ['13', toolCall],
  ['14', imports],
  ['15', attach],
  ['11', notesByMeaning],
  ['12', notesByWords],
  ['16', webhooks],
  ['17', calendar],
  ['19', attention],
  ['loop', loop],
  ['neighbours', neighbours],
];

/** Measures what the options ask for. @param say takes a line of progress. */
export async function runBench(options: Options, say: (text: string) => void): Promise<Report> {
  const databaseUrl = process.env['DATABASE_URL'] || undefined;
  const postgres = await openPostgres(databaseUrl);
  let stage: Promise<BenchEnvironment> | undefined;
  const { seconds, rounds, large } = options;
  const bench: Bench = {
    effort: { seconds, rounds },
    postgres,
    databaseUrl,
    stage: () => (stage ??= BenchEnvironment.open(postgres, options.profile)),
    profile: options.profile,
    large,
    operations: options.operations,
  };
  const findings: Finding[] = [];
  const interrupted = interruption();
  const began = performance.now();
  try {
    for (const [goal, measure] of goals.filter(([name]) => options.only?.includes(name) ?? true)) {
      say(`goal ${goal} ...`);
      findings.push(...(await Promise.race([measure(bench), interrupted])));
    }
  } finally {
    await (await stage?.catch(() => undefined))?.close();
    await postgres.stop();
  }
  const took = Math.round((performance.now() - began) / 1000);
  const heading = `${postgres.label}; ${rounds} rounds of ${seconds} s a side, ${took} s in all`;
  return {
    text: `${heading}\n\n${tableOf(findings.toSorted((a, b) => placeOf(a) - placeOf(b)))}`,
    json: { database: postgres.label, rounds, seconds, findings: findings.map(f => ({ ...f, verdict: verdictOf(f) })) },
    correct: findings.every(finding => finding.correct),
  };
}

/** Goals come by their number; what has a name comes last. */
function placeOf({ goal }: Finding): number {
  return Number(goal) || Number.MAX_SAFE_INTEGER;
}

/** Rejects when the run is broken off, so that servers and folders are cleared away all the same. */
function interruption(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => reject(new Error('broken off')));
  return promise;
}
