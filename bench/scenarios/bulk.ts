import { interleaved, rate, spreadOf } from '../measure.ts';
import { allAnswered, latencyOf, perSecond } from '../report/finding.ts';
import type { Measure } from './bench.ts';

const ROWS = 1000;
const LIMIT_ROWS = 100;
const CONNECTIONS = 4;

/** Goal 6: a thousand observations in one call, beside INSERTs of a hundred rows, in rows per second. */
export const bulk: Measure = async ({ effort, stage: open }) => {
  const stage = await open();
  const people = await stage.people();
  const { ours, limit } = await interleaved(
    {
      limit: { run: extent => stage.onDatabase('bulk insert', CONNECTIONS, extent, { name: 'insert-100' }) },
      ours: {
        run: extent => stage.onHub('bulk', CONNECTIONS, extent, { name: 'bulk', people, rows: ROWS }),
        settle: () => stage.settled(),
        pid: stage.hub.pid,
      },
    },
    effort,
  );
  return [
    {
      goal: '6',
      workload: `POST of ${ROWS} observations, ${CONNECTIONS} connections`,
      ours: `${perSecond(ours, ROWS)} rows`,
      beside: `${perSecond(limit, LIMIT_ROWS)} rows by unnest of ${LIMIT_ROWS}`,
      figure: spreadOf(ours, limit, (a, b) => (rate(a) * ROWS) / (rate(b) * LIMIT_ROWS)),
      unit: '',
      wanted: 'more',
      floor: 0.4,
      aim: 0.7,
      correct: allAnswered(ours, limit),
      notes: [latencyOf('POST', ours), latencyOf('INSERT', limit)],
    },
  ];
};
