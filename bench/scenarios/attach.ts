import type { Workload } from '../load/requests.ts';
import type { Extent } from '../load/sample.ts';
import { interleaved, spreadOf } from '../measure.ts';
import { allAnswered, latencyOf, perSecond } from '../report/finding.ts';
import { personOf } from '../load/requests.ts';
import type { Measure } from './bench.ts';

const ROWS = 1_000;

/** Goal 15: a thousand rows told apart, and attached as a list, beside one look-up of a thousand addresses. */
export const attach: Measure = async ({ effort, stage: open }) => {
  const stage = await open();
  const { from } = await stage.people();
  const emails = Array.from({ length: ROWS }, (_, i) => personOf(from + i));
  const body = JSON.stringify({ rows: emails.map(email => ({ email })) });
  const onHub = (side: string, workload: Workload) => ({
    run: (extent: Extent) => stage.onHub(side, 1, extent, workload),
    settle: () => stage.settled(),
    pid: stage.hub.pid,
  });
  const limit = { name: 'look-up', workspace: stage.workspace.id, emails } as const;
  const { lookUp, dedup, attached } = await interleaved(
    {
      lookUp: { run: (extent: Extent) => stage.onDatabase('look-up', 1, extent, limit) },
      dedup: onHub('dedup', { name: 'post', path: '/v2/dedup', body }),
      attached: onHub('attach', { name: 'attach', emails }),
    },
    effort,
  );
  const correct = allAnswered(lookUp, dedup, attached);
  const beside = `${perSecond(lookUp)} look-ups of ${ROWS} addresses by = ANY ()`;
  const common = { goal: '15', beside, unit: '', wanted: 'less', aim: 3, correct } as const;
  return [
    {
      ...common,
      workload: `POST /v2/dedup, ${ROWS} rows, p50`,
      ours: perSecond(dedup),
      figure: spreadOf(dedup, lookUp, (a, b) => a.p50 / b.p50),
      notes: [latencyOf('dedup', dedup), latencyOf('look-up', lookUp)],
    },
    {
      ...common,
      workload: `POST /v2/lead-lists/attach, ${ROWS} known people into a new list, scored, p50`,
      ours: perSecond(attached),
      figure: spreadOf(attached, lookUp, (a, b) => a.p50 / b.p50),
      notes: [latencyOf('attach', attached)],
    },
  ];
};
