import type { Extent } from '../load/sample.ts';
import { interleaved, rate, spreadOf } from '../measure.ts';
import { allAnswered, latencyOf, perSecond } from '../report/finding.ts';
import { Helper } from '../env/helper.ts';
import type { BenchEnvironment } from '../env/bench-environment.ts';
import type { Measure } from './bench.ts';

const CONNECTIONS = 8;
const CLAIMS = 30;
const TIMELINE = 50;
const LONG_TIMELINE = 10_000;
const BATCH = 1000;

const short = 'account-short@gmail.com';
const long = 'account-long@gmail.com';

/** Goal 8: a whole account, beside the rows it is made of, and beside one with a long past. */
export const account: Measure = async ({ effort, stage: open }) => {
  const stage = await open();
  await tell(stage, short, TIMELINE);
  await tell(stage, long, LONG_TIMELINE);
  await stage.settled();
  const raw = Helper.start<'open', string>('baselines/raw-account.ts', {
    DATABASE_URL: stage.databaseUrl,
    BENCH_WORKSPACE: stage.workspace.id,
  });
  const rawUrl = await raw.ask('open');
  const read = (side: string, url: string, path: string, pid: number) => ({
    run: (extent: Extent) => stage.onServer(side, url, CONNECTIONS, extent, { name: 'get', path }),
    pid,
  });
  const hub = stage.hub;
  const sides = await interleaved(
    {
      raw: read('raw account', rawUrl, `/${short}`, raw.pid),
      short: read('account', hub.url, `/v2/accounts/${short}`, hub.pid),
      long: read('long account', hub.url, `/v2/accounts/${long}`, hub.pid),
    },
    effort,
  ).finally(() => raw.end());
  const correct = allAnswered(sides.raw, sides.short, sides.long);
  return [
    {
      goal: '8',
      workload: `GET /v2/accounts/:id, ${CLAIMS} claims, ${TIMELINE} of timeline`,
      ours: perSecond(sides.short),
      beside: `${perSecond(sides.raw)} the same rows, raw, over bare Fastify`,
      figure: spreadOf(sides.short, sides.raw, (a, b) => rate(a) / rate(b)),
      unit: '',
      wanted: 'more',
      floor: 0.25,
      aim: 0.5,
      correct,
      notes: [latencyOf('account', sides.short), latencyOf('raw', sides.raw)],
    },
    {
      goal: '8',
      workload: `the same with ${LONG_TIMELINE} observations behind it, p95`,
      ours: perSecond(sides.long),
      beside: `${perSecond(sides.short)} with ${TIMELINE}`,
      figure: spreadOf(sides.long, sides.short, (a, b) => a.p95 / b.p95),
      unit: '',
      wanted: 'less',
      floor: 1.3,
      correct,
      notes: [latencyOf('long', sides.long)],
    },
  ];
};

/** States of thirty properties, and events up to the wished number. */
async function tell(stage: BenchEnvironment, focus: string, observations: number): Promise<void> {
  const stated = Array.from({ length: observations }, (_, i) =>
    i < CLAIMS
      ? { kind: 'state', property: `field_${i}`, value: `value ${i}` }
      : {
          kind: 'event',
          property: 'interaction.email_sent',
          value: { subject: `Follow-up ${i}`, thread: `t-${i % 50}` },
        },
  );
  for (let from = 0; from < stated.length; from += BATCH) {
    const body = JSON.stringify({ focus, observations: stated.slice(from, from + BATCH) });
    const { failed } = await stage.onHub('setup', 1, { calls: 1 }, { name: 'post', path: '/v2/observations', body });
    if (failed > 0) throw new Error('the account could not be prepared');
  }
}
