import type { Extent } from '../load/sample.ts';
import { interleaved, spreadOf } from '../measure.ts';
import { allAnswered, type Finding, latencyOf, once, perSecond } from '../report/finding.ts';
import { residentMbOf } from '../env/process.ts';
import type { BenchEnvironment } from '../env/bench-environment.ts';
import { personOf } from '../load/requests.ts';
import type { Measure } from './bench.ts';

const CONNECTIONS = 8;
const CALLS = 10_000;
const TITLES = 5;
/** Somebody whom no other goal numbers, so that this one needs none of their people. */
const somebody = { from: 1_000_000_000, count: 1 };
const focus = personOf(somebody.from);

const accept = 'application/json, text/event-stream';
const params = { name: 'get_account', arguments: { id: focus, detail: 'full' } };
const called = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const rest = { name: 'get', path: `/v2/accounts/${focus}` } as const;
const legacy = { name: 'post', path: '/mcp', body: JSON.stringify(called), headers: { accept } } as const;
const modern = {
  ...legacy,
  body: JSON.stringify({ ...called, params: { ...params, _meta: meta } }),
  headers: {
    accept,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': params.name,
  },
} as const;

/** Goal 13: what a tool costs beside the REST call of the same service method, and whether calls leave memory behind. */
export const toolCall: Measure = async ({ effort, stage: open }) => {
  const stage = await open();
  await stage.introduce(somebody, TITLES);
  const { hub } = stage;
  const side = (name: string, workload: typeof rest | typeof legacy | typeof modern) => ({
    run: (extent: Extent) => stage.onHub(name, CONNECTIONS, extent, workload),
    pid: hub.pid,
  });
  const sides = await interleaved(
    {
      rest: side('rest account', rest),
      legacy: side('tool, 2025', legacy),
      modern: side('tool, 2026', modern),
    },
    effort,
  );
  const beside = (revision: string, tool: keyof typeof sides): Finding => ({
    goal: '13',
    workload: `tools/call get_account at ${revision}, ${CONNECTIONS} connections`,
    ours: perSecond(sides[tool]),
    beside: `${perSecond(sides.rest)} GET /v2/accounts/:id`,
    figure: spreadOf(sides[tool], sides.rest, (a, b) => a.p50 / b.p50),
    unit: '',
    wanted: 'less',
    floor: 1.5,
    correct: allAnswered(sides[tool], sides.rest),
    notes: [latencyOf('tool', sides[tool]), latencyOf('REST', sides.rest)],
  });
  return [beside('2025-11-25', 'legacy'), beside('2026-07-28', 'modern'), await memoryAfter(stage)];
};

/** Half of the calls by each era, after those of the comparison, which have filled what is kept in any case. */
async function memoryAfter(stage: BenchEnvironment): Promise<Finding> {
  const call = async () => {
    const one = await stage.onHub('tool, 2025', CONNECTIONS, { calls: CALLS / 2 }, legacy);
    const other = await stage.onHub('tool, 2026', CONNECTIONS, { calls: CALLS / 2 }, modern);
    return one.failed + other.failed === 0;
  };
  const before = residentMbOf(stage.hub.pid) ?? NaN;
  const correct = await call();
  const after = residentMbOf(stage.hub.pid) ?? NaN;
  return {
    goal: '13',
    workload: `resident memory after ${CALLS} more tool calls`,
    ours: `${after.toFixed(0)} MB`,
    beside: `${before.toFixed(0)} MB before them`,
    figure: once(after / before),
    unit: '',
    wanted: 'less',
    floor: 1.1,
    correct,
    notes: [],
  };
}
