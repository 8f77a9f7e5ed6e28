import type { Extent } from '../load/sample.ts';
import { byTurns, type Effort, type Side, spreadOf } from '../measure.ts';
import { allAnswered, type Finding, grouped, latencyOf, perSecond } from '../report/finding.ts';
import { fillLists } from '../stage/fill-lists.ts';
import { Helper } from '../stage/helper.ts';
import { Stage } from '../stage/stage.ts';
import type { Measure } from './bench.ts';

const CONNECTIONS = 8;
const FEW = 1_000;
const PAGE = 50;
const DEEP_PAGE = 10_000;
const LISTS = ['people', 'leads'] as const;

type List = (typeof LISTS)[number];

/** Goal 9: a page of people and of leads, beside the rows it is made of; with `--large`, also far down a long list. */
export const lists: Measure = async ({ effort, postgres, large }) => {
  const small = await Stage.open(postgres);
  const big = large > 0 ? await Stage.open(postgres) : undefined;
  try {
    await fillLists(small, FEW);
    if (big) await fillLists(big, large);
    const findings: Finding[] = [];
    for (const list of LISTS) {
      findings.push(await besideRaw(small, list, FEW, effort));
      if (!big) continue;
      findings.push(await besideRaw(big, list, large, effort), ...(await grown(small, big, list, large, effort)));
    }
    return findings;
  } finally {
    await big?.close();
    await small.close();
  }
};

const pageOf = (list: List) => `/v2/${list}?limit=${PAGE}`;

async function besideRaw(stage: Stage, list: List, rows: number, effort: Effort): Promise<Finding> {
  const raw = Helper.start<'open', string>('servers/raw-lists.ts', {
    DATABASE_URL: stage.databaseUrl,
    BENCH_WORKSPACE: stage.workspace.id,
  });
  const url = await raw.ask('open');
  const limit = {
    run: (extent: Extent) => stage.onServer('raw list', url, CONNECTIONS, extent, { name: 'get', path: `/${list}` }),
    pid: raw.pid,
  };
  const sides = await byTurns({ raw: limit, ours: sideOf(stage, pageOf(list)) }, effort).finally(() => raw.end());
  return {
    goal: '9',
    workload: `GET ${pageOf(list)} of ${grouped(rows)} rows, p95`,
    ours: perSecond(sides.ours),
    beside: `${perSecond(sides.raw)} the same rows, raw, over bare Fastify`,
    figure: spreadOf(sides.ours, sides.raw, (a, b) => a.p95 / b.p95),
    unit: '',
    wanted: 'less',
    floor: 5,
    aim: 2.5,
    correct: allAnswered(sides.ours, sides.raw),
    notes: [latencyOf(`${list} of ${grouped(rows)}`, sides.ours), latencyOf('raw', sides.raw)],
  };
}

async function grown(small: Stage, big: Stage, list: List, rows: number, effort: Effort): Promise<Finding[]> {
  const depth = Math.min(DEEP_PAGE, Math.floor(rows / PAGE));
  const deep = `${pageOf(list)}&cursor=${await cursorOf(big, list, depth)}`;
  const { few, first, last } = await byTurns(
    { few: sideOf(small, pageOf(list)), first: sideOf(big, pageOf(list)), last: sideOf(big, deep) },
    effort,
  );
  const correct = allAnswered(few, first, last);
  const common = { goal: '9', unit: '', wanted: 'less', floor: 1.3, correct } as const;
  return [
    {
      ...common,
      workload: `page ${grouped(depth)} of ${list}, p95`,
      ours: perSecond(last),
      beside: `${perSecond(first)} page 1`,
      figure: spreadOf(last, first, (a, b) => a.p95 / b.p95),
      notes: [latencyOf(`${list}, page ${grouped(depth)}`, last), latencyOf('page 1', first)],
    },
    {
      ...common,
      workload: `page 1 of ${grouped(rows)} ${list}, p95`,
      ours: perSecond(first),
      beside: `${perSecond(few)} page 1 of ${grouped(FEW)}`,
      figure: spreadOf(first, few, (a, b) => a.p95 / b.p95),
      notes: [latencyOf(`${list}, page 1 of ${grouped(FEW)}`, few)],
    },
  ];
}

function sideOf(stage: Stage, path: string): Side {
  const run = (extent: Extent) => stage.onHub('list', CONNECTIONS, extent, { name: 'get', path });
  return { run, pid: stage.hub.pid };
}

/** Walks down to a page, as clients do, in the largest steps that there are. */
async function cursorOf({ hub, workspace }: Stage, list: List, page: number): Promise<string> {
  let cursor = '';
  for (let left = (page - 1) * PAGE; left > 0;) {
    const limit = Math.min(1_000, left);
    const url = `${hub.url}/v2/${list}?limit=${limit}&fields=id${cursor && `&cursor=${cursor}`}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${workspace.key}` } });
    cursor = ((await answer.json()) as { next_cursor: string }).next_cursor;
    left -= limit;
  }
  return cursor;
}
