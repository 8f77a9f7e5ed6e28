import type { Extent } from '../load/sample.ts';
import { byTurns, spreadOf } from '../measure.ts';
import { allAnswered, grouped, latencyOf, perSecond } from '../report/finding.ts';
import { fill } from '../stage/fill.ts';
import { Stage } from '../stage/stage.ts';
import type { Measure } from './bench.ts';

const CONNECTIONS = 8;

/** Goal 1, growth: the same call on a hub whose database is large, with a hub and a database of its own. */
export const growth: Measure = async ({ effort, stage: open, postgres, large: observations }) => {
  if (observations === 0) return [];
  const small = await open();
  const big = await Stage.open(postgres);
  try {
    const people = { small: await small.people(), large: { from: 0, count: await fill(big, observations) } };
    const side = (stage: Stage, about: typeof people.small) => ({
      run: (extent: Extent) => stage.onHub('growth', CONNECTIONS, extent, { name: 'record', people: about }),
      settle: () => stage.settled(),
      pid: stage.hub.pid,
    });
    const rounds = await byTurns({ small: side(small, people.small), large: side(big, people.large) }, effort);
    return [
      {
        goal: '1',
        workload: `the same with ${grouped(observations)} observations in the database, p95`,
        ours: perSecond(rounds.large),
        beside: `${perSecond(rounds.small)} in the small one`,
        figure: spreadOf(rounds.large, rounds.small, (a, b) => a.p95 / b.p95),
        unit: '',
        wanted: 'less',
        floor: 1.3,
        correct: allAnswered(rounds.large, rounds.small),
        notes: [latencyOf('large', rounds.large), latencyOf('small', rounds.small)],
      },
    ];
  } finally {
    await big.close();
  }
};
