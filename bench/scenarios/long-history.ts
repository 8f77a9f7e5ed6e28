import { interleaved, median, type Round, spreadOf } from '../measure.ts';
import { allAnswered, latencyOf } from '../report/finding.ts';
import { KNOWN_PEOPLE, KNOWN_TITLES } from '../env/bench-environment.ts';
import type { Measure } from './bench.ts';

const CONNECTIONS = 8;
/** So many that calls in flight never meet on one of them, and that no history grows much while it is measured. */
const LONG_LIVED = 100;
const YOUNG = 2000;
const LONG = 1000;
/** The name takes a place in the call that introduces somebody. */
const TITLES_IN_A_CALL = LONG - 1;

/** Goal 7: a statement about a property that has a long history costs as much as one about a property that has none. */
export const longHistory: Measure = async ({ effort, stage: open }) => {
  const stage = await open();
  const young = { ...(await stage.people()), count: YOUNG };
  const old = { from: KNOWN_PEOPLE, count: LONG_LIVED };
  await stage.introduce(old, TITLES_IN_A_CALL);
  const side = (name: string, people: typeof young) => ({
    run: (extent: { seconds: number } | { calls: number }) =>
      stage.onHub(name, CONNECTIONS, extent, { name: 'title', people }),
    settle: () => stage.settled(),
    pid: stage.hub.pid,
  });
  const { short, long } = await interleaved({ short: side('young', young), long: side('old', old) }, effort);
  return [
    {
      goal: '7',
      workload: `POST about a property with ${LONG} statements, p95`,
      ours: ms(long),
      beside: `${ms(short)} with ${KNOWN_TITLES} statements`,
      figure: spreadOf(long, short, (a, b) => a.p95 / b.p95),
      unit: '',
      wanted: 'less',
      floor: 2,
      correct: allAnswered(short, long),
      notes: [latencyOf(`${LONG} statements`, long), latencyOf(`${KNOWN_TITLES} statements`, short)],
    },
  ];
};

function ms(rounds: readonly Round[]): string {
  return `${median(rounds.map(round => round.p95)).toFixed(2)} ms`;
}
