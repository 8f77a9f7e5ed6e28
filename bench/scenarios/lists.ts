import type { Extent } from '../load/sample.ts';
import { interleaved, type RunOptions, type Contender, spreadOf } from '../measure.ts';
import { allAnswered, type Finding, grouped, latencyOf, perSecond } from '../report/finding.ts';
import { fillLists } from '../env/fill-lists.ts';
import { inWorkspace } from '../env/inside.ts';
import { type ListOrder, ORDERS } from './list-orders.ts';
import { Helper } from '../env/helper.ts';
import { BenchEnvironment } from '../env/bench-environment.ts';
import type { Measure } from './bench.ts';

const CONNECTIONS = 8;
const FEW = 1_000;
const PAGE = 50;
const DEEP_PAGE = 10_000;
const LISTS = ['people', 'leads'] as const;

type List = (typeof LISTS)[number];

/** Goal 9: a page of people and of leads, beside the rows it is made of; with `--large`, also far down a long list. */
export const lists: Measure = async ({ effort, postgres, large }) => {
  const small = await BenchEnvironment.open(postgres);
  const big = large > 0 ? await BenchEnvironment.open(postgres) : undefined;
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

async function besideRaw(stage: BenchEnvironment, list: List, rows: number, effort: RunOptions): Promise<Finding> {
  const raw = Helper.start<'open', string>('baselines/raw-lists.ts', {
    DATABASE_URL: stage.databaseUrl,
    BENCH_WORKSPACE: stage.workspace.id,
  });
  const url = await raw.ask('open');
  const limit = {
    run: (extent: Extent) => stage.onServer('raw list', url, CONNECTIONS, extent, { name: 'get', path: `/${list}` }),
    pid: raw.pid,
  };
  const sides = await interleaved({ raw: limit, ours: sideOf(stage, pageOf(list)) }, effort).finally(() => raw.end());
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

/** Page 10 000 beside page 1, in every order; then page 1 of many rows beside page 1 of few. */
async function grown(
  small: BenchEnvironment,
  big: BenchEnvironment,
  list: List,
  rows: number,
  effort: RunOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const order of ORDERS[list]) findings.push(await deeper(big, order, rows, effort));
  const path = pageOf(list);
  const { few, many } = await interleaved({ few: sideOf(small, path), many: sideOf(big, path) }, effort);
  return [
    ...findings,
    {
      ...common,
      workload: `page 1 of ${grouped(rows)} ${list}, p95`,
      ours: perSecond(many),
      beside: `${perSecond(few)} page 1 of ${grouped(FEW)}`,
      figure: spreadOf(many, few, (a, b) => a.p95 / b.p95),
      correct: allAnswered(few, many),
      notes: [latencyOf(`${list}, page 1 of ${grouped(FEW)}`, few)],
    },
  ];
}

const common = { goal: '9', unit: '', wanted: 'less', floor: 1.3 } as const;

/** A page far down a list beside its first one. */
export async function deeper(
  stage: BenchEnvironment,
  order: ListOrder,
  rows: number,
  effort: RunOptions,
): Promise<Finding> {
  const page = Math.min(DEEP_PAGE, Math.floor(rows / PAGE));
  const path = `/v2/${order.path}limit=${PAGE}`;
  const cursor = await cursorBefore(stage, order, path, (page - 1) * PAGE);
  const { first, deep } = await interleaved(
    { first: sideOf(stage, path), deep: sideOf(stage, `${path}&cursor=${cursor}`) },
    effort,
  );
  return {
    ...common,
    workload: `page ${grouped(page)} of ${order.what}, p95`,
    ours: perSecond(deep),
    beside: `${perSecond(first)} page 1`,
    figure: spreadOf(deep, first, (a, b) => a.p95 / b.p95),
    correct: allAnswered(first, deep),
    notes: [latencyOf(`${order.what}, page ${grouped(page)}`, deep), latencyOf('page 1', first)],
  };
}

function sideOf(stage: BenchEnvironment, path: string): Contender {
  const run = (extent: Extent) => stage.onHub('list', CONNECTIONS, extent, { name: 'get', path });
  return { run, pid: stage.hub.pid };
}

/** The cursor that a client would have who had paged past so many rows: that of page 1, with the place of another row. */
async function cursorBefore(
  stage: BenchEnvironment,
  { place }: ListOrder,
  path: string,
  rows: number,
): Promise<string> {
  const { hub, workspace, databaseUrl } = stage;
  const answer = await fetch(hub.url + path, { headers: { authorization: `Bearer ${workspace.key}` } });
  const { next_cursor } = (await answer.json()) as { next_cursor: string };
  const [hash] = JSON.parse(Buffer.from(next_cursor, 'base64url').toString()) as [string];
  const sql = `${place} OFFSET $2 LIMIT 1`;
  const [row] = await inWorkspace<{ value: unknown; id: string }>(databaseUrl, workspace.id, sql, [
    workspace.id,
    rows - 1,
  ]);
  return Buffer.from(JSON.stringify([hash, [row!.value], row!.id])).toString('base64url');
}
