import { interleaved, rate, type Contender, spreadOf } from '../measure.ts';
import { allAnswered, type Finding, latencyOf, perSecond } from '../report/finding.ts';
import type { BenchEnvironment } from '../env/bench-environment.ts';
import type { Bench, Measure } from './bench.ts';

/** POST of three observations about known people in turn. */
export async function recording(stage: BenchEnvironment, side: string, connections: number): Promise<Contender> {
  const people = await stage.people();
  return {
    run: extent => stage.onHub(side, connections, extent, { name: 'record', people }),
    settle: () => stage.settled(),
    pid: stage.hub.pid,
  };
}

/** Goal 1: three observations in a call on 8 connections, beside the three rows they are. */
export const recordOnEight: Measure = async bench => {
  const { finding } = await besideInsert(bench, { goal: '1', connections: 8, floor: 0.2, aim: 0.45 });
  return [finding];
};

/** Goal 2: the same on 64 connections, and how far the slow calls are from the usual ones. */
export const recordOnMany: Measure = async bench => {
  const { finding, ours } = await besideInsert(bench, { goal: '2', connections: 64, floor: 0.35, aim: 1 });
  const serverErrors = ours.reduce((sum, round) => sum + round.serverErrors, 0);
  const tail: Finding = {
    goal: '2',
    workload: 'p99 beside p50 of these calls; no 5xx',
    ours: `${serverErrors} of 5xx`,
    beside: '',
    figure: spreadOf(ours, ours, round => round.p99 / round.p50),
    unit: '',
    wanted: 'less',
    floor: 10,
    correct: serverErrors === 0,
    notes: [],
  };
  return [finding, tail];
};

/** Rounds of these goals, as multiples of those asked for: a checkpoint or a collection meets one of several. */
const MORE_ROUNDS = 3;

interface Wish {
  readonly goal: string;
  readonly connections: number;
  readonly floor: number;
  readonly aim: number;
}

async function besideInsert({ effort, stage: open }: Bench, { goal, connections, floor, aim }: Wish) {
  const stage = await open();
  const { ours, limit } = await interleaved(
    {
      limit: { run: extent => stage.onDatabase('insert', connections, extent, { name: 'insert-3' }) },
      ours: await recording(stage, 'record', connections),
    },
    { ...effort, rounds: effort.rounds * MORE_ROUNDS },
  );
  const given = stage.connectionsFor(connections);
  const finding: Finding = {
    goal,
    workload: `POST /v2/observations, 3 observations, ${connections} connections`,
    ours: perSecond(ours),
    beside: `${perSecond(limit)} bare 3-row INSERT${given < connections ? ` on ${given} connections` : ''}`,
    figure: spreadOf(ours, limit, (a, b) => rate(a) / rate(b)),
    unit: '',
    wanted: 'more',
    floor,
    aim,
    correct: allAnswered(ours, limit),
    notes: [latencyOf('POST', ours), latencyOf('INSERT', limit), `${ours.length} rounds a side`],
  };
  return { finding, ours };
}
