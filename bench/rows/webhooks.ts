import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { type Finding, grouped, once } from '../report/finding.ts';
import { Stage } from '../stage/stage.ts';
import { until } from '../stage/process.ts';
import type { Measure } from './bench.ts';

const MESSAGES = 1_000;
const PEOPLE = 100;
const WRITERS = 32;
const TRIGGERS = '/v2/plugins/triggers/triggers';

interface Arrival {
  readonly id: string;
  readonly person: string;
  readonly n: number;
}

/** Goal 16: messages that wait are sent to a sink on this machine, alone and beside an endpoint that is dead. */
export const webhooks: Measure = async ({ postgres }) => {
  const sink = await Sink.open();
  const stage = await Stage.open(postgres, undefined, { EGRESS_ALLOW: '127.0.0.1' });
  try {
    const alone = await drained(stage, sink);
    await call(stage, 'POST', TRIGGERS, { url: `${sink.url}/dead`, events: ['reply.received'] });
    const beside = await drained(stage, sink);
    const limit = await signAndPost(sink);
    const correct = alone.correct && beside.correct;
    const common = { goal: '16', unit: '', wanted: 'more', correct } as const;
    const whole: Finding = {
      ...common,
      workload: 'webhooks that wait, to a local sink',
      ours: `${grouped(alone.rate)}/s`,
      beside: `${grouped(limit)}/s sign + POST with undici, ${WRITERS} at once`,
      figure: once(alone.rate / limit),
      floor: 0.1,
      aim: 0.25,
      notes: [`${MESSAGES} messages about ${PEOPLE} people, each once and in the order of its person`],
    };
    const dead: Finding = {
      ...common,
      workload: 'the same beside an endpoint that answers 500',
      ours: `${grouped(beside.rate)}/s`,
      beside: `${grouped(alone.rate)}/s without it`,
      figure: once(beside.rate / alone.rate),
      floor: 0.95,
      notes: [`${sink.refused} requests came to the dead one`],
    };
    return [whole, dead];
  } finally {
    await stage.close();
    await sink.close();
  }
};

/** Lets messages gather behind a paused trigger, and takes the time from the first to the last one that arrives. */
async function drained(stage: Stage, sink: Sink): Promise<{ rate: number; correct: boolean }> {
  sink.arrived.length = 0;
  const { trigger } = (await call(stage, 'POST', TRIGGERS, {
    url: `${sink.url}/in`,
    events: ['reply.received'],
    active: false,
  })) as { trigger: { id: string } };
  const people = Array.from({ length: PEOPLE }, (_, i) => i).values();
  const writers = Array.from({ length: WRITERS }, async () => {
    for (const person of people) for (let n = 0; n < MESSAGES / PEOPLE; n++) await reply(stage, person, n);
  });
  await Promise.all(writers);
  await stage.settled();
  await call(stage, 'PATCH', `${TRIGGERS}/${trigger.id}`, { active: true });
  await until('all have arrived', async () => sink.arrived.length >= MESSAGES, 60_000);
  const seconds = (sink.lastAt - sink.firstAt) / 1000;
  const correct = isWhole(sink.arrived);
  await call(stage, 'DELETE', `${TRIGGERS}/${trigger.id}`);
  return { rate: MESSAGES / seconds, correct };
}

function isWhole(arrived: readonly Arrival[]): boolean {
  const inOrder = [...Map.groupBy(arrived, ({ person }) => person).values()].every(own =>
    own.every(({ n }, place) => place === 0 || n >= own[place - 1]!.n),
  );
  return inOrder && new Set(arrived.map(({ id }) => id)).size === MESSAGES;
}

async function reply(stage: Stage, person: number, n: number): Promise<void> {
  const observation = { kind: 'event', property: 'interaction.email_replied', value: { n } };
  await call(stage, 'POST', '/v2/observations', { focus: `p${person}@sink.example`, observations: [observation] });
}

async function call({ hub, workspace }: Stage, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${workspace.key}` };
  const answer = await fetch(hub.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}`);
  return answer.json();
}

/** What this machine can do at most: the same bytes signed and sent, and nothing written down. */
async function signAndPost(sink: Sink): Promise<number> {
  const pool = new Pool(sink.url, { connections: WRITERS });
  const key = randomBytes(32);
  const body = JSON.stringify({
    type: 'reply.received',
    data: { observation: { value: { n: 0 } }, entity: {}, pad: 'x'.repeat(700) },
  });
  const end = performance.now() + 3_000;
  let sent = 0;
  const senders = Array.from({ length: WRITERS }, async () => {
    for (; performance.now() < end; sent++) {
      const signature = createHmac('sha256', key).update(`msg.1.${body}`).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'webhook-id': 'msg',
        'webhook-signature': `v1,${signature}`,
      };
      const answer = await pool.request({ method: 'POST', path: '/limit', headers, body });
      await answer.body.dump();
    }
  });
  await Promise.all(senders);
  await pool.close();
  return sent / 3;
}

/** A receiver that takes everything at `/in`, notes it, and is dead at `/dead`. */
class Sink {
  readonly arrived: Arrival[] = [];
  firstAt = 0;
  lastAt = 0;
  refused = 0;

  readonly url: string;
  private readonly server: Server;

  private constructor(server: Server, url: string) {
    this.server = server;
    this.url = url;
  }

  static async open(): Promise<Sink> {
    let sink: Sink | undefined;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const isDead = request.url === '/dead';
        if (isDead) sink!.refused++;
        if (request.url === '/in') sink!.note(String(request.headers['webhook-id']), Buffer.concat(chunks).toString());
        response.writeHead(isDead ? 500 : 204).end();
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    sink = new Sink(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return sink;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }

  private note(id: string, body: string): void {
    const { data } = JSON.parse(body) as { data: { observation: { value: { n: number } }; entity: { id: string } } };
    this.lastAt = performance.now();
    if (this.arrived.length === 0) this.firstAt = this.lastAt;
    this.arrived.push({ id, person: data.entity.id, n: data.observation.value.n });
  }
}
