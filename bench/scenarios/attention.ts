import type { Workload } from '../load/requests.ts';
import type { Extent } from '../load/sample.ts';
import { interleaved, spreadOf } from '../measure.ts';
import { allAnswered, type Finding, grouped, latencyOf, perSecond } from '../report/finding.ts';
import { workspaceOf } from '../env/fill-accounts.ts';
import type { Workspace } from '../env/hub.ts';
import type { BenchEnvironment } from '../env/bench-environment.ts';
import type { Measure } from './bench.ts';

const FEW = 1000;
const MANY = 100_000;

const query = (body: object): Workload => ({ name: 'post', path: '/v2/query', body: JSON.stringify(body) });

/** Reads of a whole workspace, as people and agents ask them. */
const reads: Readonly<Record<string, Workload>> = {
  'GET /v2/attention': { name: 'get', path: '/v2/attention' },
  'POST /v2/query, everything': query({}),
  'POST /v2/query, replies of 30 days': query({ scope: { property: 'interaction.email_replied', since_days: 30 } }),
};

/** Goal 19: reads of a whole workspace, beside the least that the database answers, and by how many entities there are. */
export const attention: Measure = async ({ effort, stage: open, large }) => {
  const stage = await open();
  const few = await workspaceOf(stage, FEW);
  const many = await workspaceOf(stage, MANY);
  const most = large > MANY ? await workspaceOf(stage, large) : undefined;
  const findings: Finding[] = [];
  for (const [what, workload] of Object.entries(reads)) {
    const side = ({ key }: Workspace) => ({
      run: (extent: Extent) => stage.onServer('whole workspace', stage.hub.url, 1, extent, workload, key),
      pid: stage.hub.pid,
    });
    const sides = await interleaved(
      {
        least: { run: (extent: Extent) => stage.onDatabase('least', 1, extent, { name: 'select-1' }) },
        few: side(few),
        many: side(many),
        most: most ? side(most) : noSide(stage),
      },
      effort,
    );
    const correct = allAnswered(sides.least, sides.few, sides.many);
    const common = { goal: '19', unit: '', wanted: 'less', correct } as const;
    const growth = (rounds: typeof sides.many, count: number): Finding => ({
      ...common,
      workload: `the same, ${grouped(count)} entities, p95`,
      ours: perSecond(rounds),
      beside: `${perSecond(sides.few)} with ${grouped(FEW)}`,
      figure: spreadOf(rounds, sides.few, (a, b) => a.p95 / b.p95),
      floor: undefined,
      notes: [latencyOf(`${what}, ${grouped(count)}`, rounds)],
    });
    findings.push(
      {
        ...common,
        workload: `${what}, ${grouped(MANY)} entities, p95`,
        ours: perSecond(sides.many),
        beside: `${perSecond(sides.least)} select 1, raw`,
        figure: spreadOf(sides.many, sides.least, (a, b) => a.p95 / b.p95),
        floor: 100,
        notes: [latencyOf(what, sides.many), latencyOf('select 1', sides.least)],
      },
      growth(sides.many, MANY),
      ...(most ? [growth(sides.most, large)] : []),
    );
  }
  return findings;
};

/** Where there is no third workspace, a single call keeps the place. */
function noSide(stage: BenchEnvironment) {
  return { run: () => stage.onDatabase('least', 1, { calls: 1 }, { name: 'select-1' }) };
}
