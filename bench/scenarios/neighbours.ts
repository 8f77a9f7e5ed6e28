import type { HttpJob } from '../load/http-load.ts';
import type { Workload } from '../load/requests.ts';
import type { Extent, Sample } from '../load/sample.ts';
import { interleaved, spreadOf } from '../measure.ts';
import { type Finding, latencyOf } from '../report/finding.ts';
import { Helper } from '../env/helper.ts';
import { createWorkspace, HubProcess } from '../env/hub.ts';
import type { Bench, Measure } from './bench.ts';

const TENANT_CONNECTIONS = 2;
const STRANGER_CONNECTIONS = 100;
const NEIGHBOUR_CONNECTIONS = 48;
const PEOPLE = 2_000;
const MAX_FACTOR = 3;
const FOCUS = 'person-1@example.com';
/** Bytes of the text of a note that the neighbour saves. */
const NOTE_LENGTH = 100_000;

/** What a stranger without a key asks for. */
const publicRequests: readonly Workload[] = [
  { name: 'get', path: '/healthz' },
  { name: 'get', path: '/openapi.json' },
  { name: 'get', path: '/v2/accounts/made-up@example.com' },
  { name: 'get', path: '/oauth/authorize?client_id=rap_client_AAAAAAAAAAAAAAAAAAAAAA' },
  { name: 'post', path: '/oauth/token', body: '{}' },
  { name: 'post', path: `/hooks/${'a'.repeat(54)}/calls`, body: '{}' },
];

/** The heaviest requests that a workspace may send. */
const heavyRequests = (): readonly Workload[] => [
  { name: 'get', path: '/v2/people?limit=1000' },
  { name: 'get', path: '/v2/attention' },
  { name: 'post', path: '/v2/query', body: JSON.stringify({ question: 'Which people opened an e-mail?' }) },
  { name: 'post', path: '/v2/score', body: JSON.stringify({ leads: coldLeads(1_000) }) },
  {
    name: 'post',
    path: '/v2/notes',
    body: JSON.stringify({ focus: FOCUS, content: 'pricing call '.repeat(NOTE_LENGTH / 13) }),
  },
];

/** What a tenant notices of strangers, and of another workspace that does the heaviest allowed things. */
export const neighbours: Measure = async bench => {
  const databaseUrl = await bench.postgres.createDatabase();
  // The neighbour may do what the largest plan allows by default; the tenant reads without pause.
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: '',
    PUBLIC_RATE_LIMIT: '20',
    RATE_LIMITS: 'starter=0,growth=0,scale=1000',
  };
  const hub = await HubProcess.start({ env, profile: bench.profile });
  try {
    const [tenant, neighbour] = [await createWorkspace(databaseUrl, 'growth'), await createWorkspace(databaseUrl)];
    await fill(hub.url, tenant.key, 10);
    await fill(hub.url, neighbour.key, PEOPLE);
    const beside = (name: string, connections: number, workloads: readonly Workload[], key?: string) =>
      measureBeside(bench, hub.url, tenant.key, { name, connections, workloads, key });
    return [
      await beside('strangers on public paths', STRANGER_CONNECTIONS, publicRequests),
      await beside('another workspace, heaviest requests', NEIGHBOUR_CONNECTIONS, heavyRequests(), neighbour.key),
    ];
  } finally {
    await hub.stop();
  }
};

interface Burden {
  readonly name: string;
  readonly connections: number;
  readonly workloads: readonly Workload[];
  readonly key: string | undefined;
}

/** Measures account reads alone and beside a load on the given number of connections. */
async function measureBeside({ effort }: Bench, url: string, key: string, burden: Burden): Promise<Finding> {
  const reader = Helper.start<HttpJob, Sample>('load/http-load.ts');
  const loads = burden.workloads.map(() => Helper.start<HttpJob, Sample>('load/http-load.ts'));
  const read = (extent: Extent) =>
    reader.ask({
      url,
      key,
      connections: TENANT_CONNECTIONS,
      extent,
      workload: { name: 'get', path: `/v2/accounts/${FOCUS}` },
    });
  const burdened = async (extent: Extent) => {
    const running = burden.workloads.map((workload, i) =>
      loads[i]!.ask({ url, ...(burden.key && { key: burden.key }), connections: share(burden, i), extent, workload }),
    );
    const [sample] = await Promise.all([read(extent), ...running]);
    return sample;
  };
  try {
    const sides = await interleaved({ alone: { run: read }, beside: { run: burdened } }, effort);
    return {
      goal: 'neighbours',
      workload: `p95 of an account read beside ${burden.connections} connections of ${burden.name}`,
      ours: latencyOf('beside', sides.beside),
      beside: latencyOf('alone', sides.alone),
      figure: spreadOf(sides.beside, sides.alone, (a, b) => a.p95 / b.p95),
      unit: '',
      wanted: 'less',
      floor: MAX_FACTOR,
      correct: [...sides.alone, ...sides.beside].every(({ failed }) => failed === 0),
      notes: [],
    };
  } finally {
    await Promise.all([reader, ...loads].map(helper => helper.end()));
  }
}

/** Divides the connections of a burden among its workloads. */
function share({ connections, workloads }: Burden, i: number): number {
  return Math.floor(connections / workloads.length) + (i < connections % workloads.length ? 1 : 0);
}

async function fill(url: string, key: string, people: number): Promise<void> {
  for (let from = 0; from < people; from += 50) {
    const rows = Array.from({ length: Math.min(50, people - from) }, (_, i) => record(url, key, from + i));
    await Promise.all(rows);
  }
}

async function record(url: string, key: string, n: number): Promise<void> {
  const observations = [
    { kind: 'state', property: 'title', value: `VP of Sales ${n}` },
    { kind: 'event', property: 'interaction.email_opened', value: { subject: `Offer ${n}` } },
  ];
  const answer = await fetch(`${url}/v2/observations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ focus: `person-${n}@example.com`, observations }),
  });
  if (!answer.ok) throw new Error(`the observations were answered with ${answer.status}: ${await answer.text()}`);
}

function coldLeads(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({ title: `Head of Growth ${i}`, company: `Company ${i}` }));
}
