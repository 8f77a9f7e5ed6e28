import type { People } from '../load/requests.ts';
import type { Extent } from '../load/sample.ts';
import { interleaved, type Round, spreadOf } from '../measure.ts';
import { allAnswered, type Finding, grouped, latencyOf, perSecond } from '../report/finding.ts';
import { fill } from '../env/fill.ts';
import { KNOWN_PEOPLE, BenchEnvironment } from '../env/bench-environment.ts';
import type { Measure } from './bench.ts';

const CONNECTIONS = 8;

/**
 * Goal 1, growth: the same call on a hub whose database is large, with a hub and a database of its own. Once about as many
 * people as the small one has, which shows what the size of the log costs, and once about everybody in turn, so that hardly
 * anybody's pages are in the server's buffers.
 */
export const growth: Measure = async ({ effort, stage: open, postgres, large: observations }) => {
  if (observations === 0) return [];
  const small = await open();
  const big = await BenchEnvironment.open(postgres);
  try {
    const known = await small.people();
    const everybody = { from: 0, count: await fill(big, observations) };
    const side = (stage: BenchEnvironment, people: People) => ({
      run: (extent: Extent) => stage.onHub('growth', CONNECTIONS, extent, { name: 'record', people }),
      settle: () => stage.settled(),
      pid: stage.hub.pid,
    });
    const sides = { small: side(small, known), few: side(big, known), all: side(big, everybody) };
    const { few, all, small: beside } = await interleaved(sides, effort);
    const size = `${grouped(observations)} observations in the database`;
    return [
      besideSmall(`the same with ${size}, about ${grouped(KNOWN_PEOPLE)} people, p95`, few, beside),
      besideSmall(`the same with ${size}, about ${grouped(everybody.count)} people in turn, p95`, all, beside),
    ];
  } finally {
    await big.close();
  }
};

function besideSmall(workload: string, large: readonly Round[], small: readonly Round[]): Finding {
  return {
    goal: '1',
    workload,
    ours: perSecond(large),
    beside: `${perSecond(small)} in the small one`,
    figure: spreadOf(large, small, (a, b) => a.p95 / b.p95),
    unit: '',
    wanted: 'less',
    floor: 1.3,
    correct: allAnswered(large, small),
    notes: [latencyOf('in the large one', large), latencyOf('in the small one', small)],
  };
}
