import { AT_ONCE, type WebhookJob } from '../load/webhook-load.ts';
import { median, ratiosOf, type Spread } from '../measure.ts';
import { type Finding, grouped } from '../report/finding.ts';
import type { Arrival, Arrived, SinkJob } from '../baselines/sink.ts';
import { Helper } from '../env/helper.ts';
import { received } from '../env/inside.ts';
import { cpuSecondsOf, until } from '../env/process.ts';
import { BenchEnvironment } from '../env/bench-environment.ts';
import type { Measure } from './bench.ts';

/** Sending to them takes about a second: in less, to find out that an endpoint is dead is a share of all that is done. */
const PEOPLE = 500;
const EACH = 10;
const MESSAGES = PEOPLE * EACH;
/** So many at once, since what a single one costs is less than what a round differs from the next. */
const DEAD_ENDPOINTS = 10;
const WARM_UP_ROUNDS = 4;
const TRIGGERS = '/v2/plugins/triggers/triggers';

type Sink = Helper<SinkJob, Arrived>;

/** What one round came to, in messages per second. */
interface Round {
  readonly sent: number;
  /** From the first observation until all messages wait. */
  readonly planned: number;
  /** Processor time of the hub until the last message has arrived, in milliseconds. */
  readonly cpuMs: number;
  /** Requests to a dead endpoint, on average. */
  readonly refused: number;
  readonly correct: boolean;
}

/**
 * Goal 16: messages that wait are sent to a sink on this machine, alone and beside endpoints that are dead; by turns with
 * the same bytes signed and sent bare, and by a job of BullMQ for each. What a dead one costs the other is judged by the
 * hub's processor time, which other work on the machine does not move as it moves rates: what ten of them add, divided
 * by ten.
 */
export const webhooks: Measure = async ({ effort, postgres }) => {
  const sink: Sink = Helper.start('baselines/sink.ts');
  const load = Helper.start<WebhookJob, number>('load/webhook-load.ts');
  const { url } = await sink.ask('tell');
  const stage = await BenchEnvironment.open(postgres, undefined, { TRIGGERS_EGRESS_ALLOWLIST: '127.0.0.1' });
  try {
    for (let n = 0; n < WARM_UP_ROUNDS; n++) await round(stage, sink, n % 2 > 0);
    const [alone, beside, bare, bullmq]: [Round[], Round[], number[], number[]] = [[], [], [], []];
    for (let n = 0; n < effort.rounds; n++) {
      for (const isDead of n % 2 === 0 ? [false, true] : [true, false]) {
        (isDead ? beside : alone).push(await round(stage, sink, isDead));
      }
      bare.push(await load.ask({ kind: 'bare', url, seconds: effort.seconds }));
      bullmq.push(await load.ask({ kind: 'bullmq', url, count: MESSAGES, databaseUrl: stage.databaseUrl }));
    }
    const correct = [...alone, ...beside].every(each => each.correct);
    const common = { goal: '16', unit: '', wanted: 'more', correct } as const;
    const rates = alone.map(({ sent }) => sent);
    const spent = alone.map(({ cpuMs }) => cpuMs);
    const added = beside.map(({ cpuMs }, n) => (cpuMs - spent[n]!) / DEAD_ENDPOINTS);
    const [spentMs, addedMs] = [median(spent), median(added)];
    const ours = `${grouped(median(rates))}/s`;
    const findings: Finding[] = [
      {
        ...common,
        workload: 'webhooks that wait, to a local sink',
        ours,
        beside: `${grouped(median(bare))}/s sign + POST with undici, ${AT_ONCE} at once`,
        figure: ratiosOf(rates, bare),
        floor: 0.1,
        aim: 0.25,
        notes: [
          `${MESSAGES} messages about ${PEOPLE} people, each once and in the order of its person`,
          `recorded and planned: ${grouped(median(alone.map(({ planned }) => planned)))}/s`,
        ],
      },
      {
        ...common,
        workload: 'the same',
        ours,
        beside: `${grouped(median(bullmq))}/s of jobs of BullMQ in the same PostgreSQL, ${AT_ONCE} at once`,
        figure: ratiosOf(rates, bullmq),
        floor: 0.4,
        aim: 0.9,
        notes: [],
      },
      {
        ...common,
        workload: 'the same beside an endpoint that answers 500',
        ours: `${(spentMs + addedMs).toFixed(0)} ms of processor for all messages`,
        beside: `${spentMs.toFixed(0)} ms without it`,
        figure: {
          ...spreadOf(added.map((each, n) => spent[n]! / (spent[n]! + each))),
          median: spentMs / (spentMs + addedMs),
        },
        floor: 0.95,
        notes: [
          `a tenth of what ${DEAD_ENDPOINTS} of them add; rates beside all of them: ${grouped(median(beside.map(({ sent }) => sent)))}/s beside ${grouped(median(rates))}/s`,
        ],
      },
      {
        ...common,
        workload: 'what of all requests goes to that one',
        ours: `${Math.round(median(beside.map(({ refused }) => refused)))} requests a round`,
        beside: `${grouped(MESSAGES)} messages wait for each of the two`,
        figure: spreadOf(beside.map(({ refused }) => refused / (MESSAGES + refused))),
        wanted: 'less',
        floor: 0.05,
        notes: [],
      },
    ];
    return findings;
  } finally {
    await stage.close();
    await Promise.all([sink.end(), load.end()]);
  }
};

/** Lets messages gather behind paused triggers, one of them alone or beside dead ones, and takes the time from the first to the last one that arrives. */
async function round(stage: BenchEnvironment, sink: Sink, isBesideDead: boolean): Promise<Round> {
  const { url } = await sink.ask('forget');
  const events = ['reply.received'];
  const input = { events, active: false };
  const makeDead = () => make(stage, { ...input, url: `${url}/dead` });
  const dead = await Promise.all(Array.from({ length: isBesideDead ? DEAD_ENDPOINTS : 0 }, makeDead));
  const trigger = await make(stage, { ...input, url: `${url}/in` });
  const startedAt = performance.now();
  const people = Array.from({ length: PEOPLE }, (_, i) => i).values();
  const writers = Array.from({ length: AT_ONCE }, async () => {
    for (const person of people) await replies(stage, person);
  });
  await Promise.all(writers);
  await received(stage.databaseUrl);
  const planned = MESSAGES / ((performance.now() - startedAt) / 1000);
  const before = cpuSecondsOf(stage.hub.pid) ?? 0;
  await Promise.all([...dead, trigger].map(id => call(stage, 'PATCH', `${TRIGGERS}/${id}`, { active: true })));
  await until('all have arrived', async () => (await sink.ask('tell')).messages.length >= MESSAGES, 60_000, 100);
  const cpuMs = ((cpuSecondsOf(stage.hub.pid) ?? 0) - before) * 1000;
  const { messages, seconds, refused } = await sink.ask('tell');
  for (const id of [...dead, trigger]) await call(stage, 'DELETE', `${TRIGGERS}/${id}`);
  await received(stage.databaseUrl);
  return { sent: MESSAGES / seconds, planned, cpuMs, refused: refused / DEAD_ENDPOINTS, correct: isWhole(messages) };
}

function isWhole(arrived: readonly Arrival[]): boolean {
  const inOrder = [...Map.groupBy(arrived, ({ person }) => person).values()].every(own =>
    own.every(({ n }, place) => place === 0 || n >= own[place - 1]!.n),
  );
  return inOrder && new Set(arrived.map(({ id }) => id)).size === MESSAGES;
}

async function make(stage: BenchEnvironment, request: object): Promise<string> {
  return ((await call(stage, 'POST', TRIGGERS, request)) as { trigger: { id: string } }).trigger.id;
}

async function replies(stage: BenchEnvironment, person: number): Promise<void> {
  const reply = (_: unknown, n: number) => ({ kind: 'event', property: 'interaction.email_replied', value: { n } });
  const observations = Array.from({ length: EACH }, reply);
  await call(stage, 'POST', '/v2/observations', { focus: `p${person}@sink.example`, observations });
}

async function call(
  { hub, workspace }: BenchEnvironment,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const headers = { ...(body && { 'content-type': 'application/json' }), authorization: `Bearer ${workspace.key}` };
  const answer = await fetch(hub.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

function spreadOf(all: readonly number[]): Spread {
  return { median: median(all), min: Math.min(...all), max: Math.max(...all) };
}
