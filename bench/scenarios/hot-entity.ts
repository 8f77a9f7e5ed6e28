import { randomUUID } from 'node:crypto';
import { interleaved, rate, type Contender, spreadOf } from '../measure.ts';
import { allAnswered, type Finding, grouped, latencyOf, perSecond } from '../report/finding.ts';
import { ask } from '../env/postgres.ts';
import type { BenchEnvironment } from '../env/bench-environment.ts';
import type { Measure } from './bench.ts';
import { differencesOf, storedOf } from './log-check.ts';
import { recording } from './record.ts';

const WRITERS = 64;

/** Goal 3: everybody writes about one person at once, and nothing is lost or refused. */
export const hotEntity: Measure = async ({ effort, stage: open }) => {
  const stage = await open();
  const acknowledged = new Map<string, number>();
  const { hot, distinct, locked } = await interleaved(
    {
      locked: lockingFunction(stage),
      hot: hotPost(stage, acknowledged),
      distinct: await recording(stage, 'record', WRITERS),
    },
    effort,
  );
  const { lost, wrong } = await shortfallOf(stage, acknowledged);
  const correct = lost === 0 && wrong === 0 && allAnswered(hot, distinct, locked);
  const sum = [...acknowledged.values()].reduce((a, b) => a + b, 0);
  const refused = hot.reduce((total, round) => total + round.failed, 0);
  const common = { goal: '3', ours: perSecond(hot), unit: '', wanted: 'more', correct } as const;
  const besideLock: Finding = {
    ...common,
    workload: `POST, ${WRITERS} writers on one entity`,
    beside: `${perSecond(locked)} plpgsql: lock, insert, full re-derive`,
    figure: spreadOf(hot, locked, (a, b) => rate(a) / rate(b)),
    floor: 3,
    notes: [
      `${grouped(sum)} observations acknowledged, ${lost} lost, ${refused} refused; ${wrong} claims differ from a full re-derive`,
      latencyOf('hot', hot),
      latencyOf('plpgsql', locked),
    ],
  };
  const besideDistinct: Finding = {
    ...common,
    workload: 'the same',
    beside: `${perSecond(distinct)} on distinct entities`,
    figure: spreadOf(hot, distinct, (a, b) => rate(a) / rate(b)),
    aim: 0.3,
    notes: [latencyOf('distinct', distinct)],
  };
  return [besideLock, besideDistinct];
};

/** A new person for each round, so that no round carries the history of the ones before. */
function hotPost(stage: BenchEnvironment, acknowledged: Map<string, number>): Contender {
  let round = 0;
  return {
    run: async extent => {
      const focus = `hot-${round++}@gmail.com`;
      const workload = { name: 'record-hot', focus } as const;
      const first = await stage.onHub('hot', 1, { calls: 1 }, workload);
      const sample = await stage.onHub('hot', WRITERS, extent, workload);
      acknowledged.set(focus, first.recorded + sample.recorded);
      return sample;
    },
    settle: () => stage.settled(),
    pid: stage.hub.pid,
  };
}

function lockingFunction(stage: BenchEnvironment): Contender {
  return {
    run: async extent => {
      const entity = randomUUID();
      await ask(stage.databaseUrl, 'INSERT INTO bench_entities VALUES ($1)', [entity]);
      return stage.onDatabase('locked', WRITERS, extent, { name: 'lock-and-derive', entity });
    },
  };
}

async function shortfallOf(stage: BenchEnvironment, acknowledged: ReadonlyMap<string, number>) {
  let lost = 0;
  let wrong = 0;
  for (const [focus, count] of acknowledged) {
    const stored = await storedOf(stage, focus);
    lost += Math.abs(count - stored.observations.length);
    wrong += differencesOf(stored).length;
  }
  return { lost, wrong };
}
