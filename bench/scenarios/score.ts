import { icpModel, leads } from '../load/leads.ts';
import type { ParseJob } from '../load/parse-load.ts';
import type { Extent, Sample } from '../load/sample.ts';
import { interleaved, median, spreadOf } from '../measure.ts';
import { allAnswered, type Finding, latencyOf, perSecond } from '../report/finding.ts';
import { type WatchedJob } from '../baselines/watched-hub.ts';
import { Helper } from '../env/helper.ts';
import { inWorkspace } from '../env/inside.ts';
import { secretKeys } from '../env/secrets.ts';
import type { BenchEnvironment } from '../env/bench-environment.ts';
import type { Measure } from './bench.ts';

const LEADS = 1000;
const FEWER = 100;
const WATCHED_CALLS = 20;
const PATH = '/v2/score';

const bodyOf = (count: number) => JSON.stringify({ leads: leads(count) });

/** Goal 10: a list of leads scored in one call, beside the least that taking its body costs. */
export const score: Measure = async ({ effort, stage: open }) => {
  const stage = await open();
  await describeCustomer(stage);
  const before = await rowsOf(stage);
  const [body, fewer] = [bodyOf(LEADS), bodyOf(FEWER)];
  const parse = Helper.start<ParseJob, Sample>('load/parse-load.ts');
  const bare = Helper.start<'open', string>('baselines/bare.ts');
  const bareUrl = await bare.ask('open');
  const post = (side: string, url: string, path: string, text: string, pid: number) => ({
    run: (extent: Extent) => stage.onServer(side, url, 1, extent, { name: 'post', path, body: text }),
    pid,
  });
  const { url, pid } = stage.hub;
  const sides = await interleaved(
    {
      parse: { run: extent => parse.ask({ text: body, extent }) },
      empty: post('empty', bareUrl, '/empty', body, bare.pid),
      all: post('score', url, PATH, body, pid),
      fewer: post('score fewer', url, PATH, fewer, pid),
    },
    effort,
  ).finally(() => Promise.all([parse.end(), bare.end()]));
  const blocked = await longestBlock(stage, body);
  const correct = allAnswered(sides.parse, sides.empty, sides.all, sides.fewer) && (await rowsOf(stage)) === before;
  const p50 = { unit: '', wanted: 'less', correct } as const;
  const all: Finding = {
    ...p50,
    goal: '10',
    workload: `POST /v2/score, ${LEADS} leads, p50; 0 rows written`,
    ours: perSecond(sides.all),
    beside: `${perSecond(sides.parse)} JSON.parse of the body`,
    figure: spreadOf(sides.all, sides.parse, (a, b) => a.p50 / b.p50),
    floor: 15,
    aim: 8,
    notes: [latencyOf('score', sides.all), latencyOf('JSON.parse', sides.parse)],
  };
  return [
    all,
    {
      ...all,
      workload: 'the same',
      beside: `${perSecond(sides.empty)} an empty handler of bare Fastify`,
      figure: spreadOf(sides.all, sides.empty, (a, b) => a.p50 / b.p50),
      floor: 3,
      aim: 1.7,
      notes: [latencyOf('empty handler', sides.empty)],
    },
    {
      ...all,
      workload: `the same, time for each lead beside a call with ${FEWER}`,
      beside: `${perSecond(sides.fewer)} with ${FEWER}`,
      figure: spreadOf(sides.all, sides.fewer, (a, b) => a.p50 / LEADS / (b.p50 / FEWER)),
      floor: 1.3,
      aim: undefined,
      notes: [latencyOf(`${FEWER} leads`, sides.fewer)],
    },
    {
      ...all,
      workload: `the same, how long nobody else had a turn, median of ${WATCHED_CALLS} calls`,
      ours: `${blocked.toFixed(1)} ms`,
      beside: '',
      figure: { median: blocked, min: blocked, max: blocked },
      unit: ' ms',
      floor: 10,
      aim: undefined,
      notes: [],
    },
  ];
};

async function describeCustomer(stage: BenchEnvironment): Promise<void> {
  const body = JSON.stringify({ section: 'icp', content: icpModel });
  const workload = { name: 'post', path: '/v2/workspace/facts', body } as const;
  const { failed } = await stage.onHub('setup', 1, { calls: 1 }, workload);
  if (failed > 0) throw new Error('the model could not be written');
}

/** How many rows the workspace has, in every table that a score could write to. */
async function rowsOf(stage: BenchEnvironment): Promise<number> {
  const tables = ['observation_log', 'claims', 'entities', 'identifiers', 'leads'];
  const sum = tables.map(table => `(SELECT count(*) FROM ${table})`).join(' + ');
  const rows = await inWorkspace<{ all: number }>(
    stage.databaseUrl,
    stage.workspace.id,
    `SELECT (${sum})::int AS all`,
    [],
  );
  return rows[0]!.all;
}

/** For how long the event loop of a hub was kept at most by a call, in the middle of several calls. */
async function longestBlock(stage: BenchEnvironment, body: string): Promise<number> {
  const hub = Helper.start<WatchedJob, string | number>('baselines/watched-hub.ts', {
    DATABASE_URL: stage.databaseUrl,
    SECRET_KEYS: secretKeys,
    RATE_LIMITS: '0',
    PUBLIC_RATE_LIMIT: '0',
    REDIS_URL: '',
  });
  try {
    const url = (await hub.ask('open')) as string;
    const call = (calls: number) => stage.onServer('watched', url, 1, { calls }, { name: 'post', path: PATH, body });
    await call(2 * WATCHED_CALLS);
    const blocks: number[] = [];
    for (let i = 0; i < WATCHED_CALLS; i++) {
      await hub.ask('blocked');
      await call(1);
      blocks.push((await hub.ask('blocked')) as number);
    }
    return median(blocks);
  } finally {
    await hub.end();
  }
}
