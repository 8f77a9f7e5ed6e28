import pg from 'pg';
import { bookingWith } from '../../test/fakes/calcom/bookings.ts';
import { createdOf } from '../../test/fakes/calcom/payloads.ts';
import { type Account, FakeCalcom } from '../../test/fakes/calcom/server.ts';
import { personOf, RECORD_PATH } from '../load/requests.ts';
import { driveLoad, type Sample, type Tally } from '../load/sample.ts';
import { interleaved, spreadOf } from '../measure.ts';
import { allAnswered, latencyOf, perSecond } from '../report/finding.ts';
import { inWorkspace } from '../env/inside.ts';
import { until } from '../env/process.ts';
import { BenchEnvironment } from '../env/bench-environment.ts';
import type { Measure } from './bench.ts';

const PEOPLE = 200;
const REPLAYS = 50;
const LIMIT_MS = 10_000;
const LOOK_EVERY_MS = 1;

/**
 * Goal 17: from the moment that the calendar sends a webhook until it is on the timeline, beside an observation that is
 * posted and whose event has been picked up by the queue and delivered.
 */
export const calendar: Measure = async ({ effort, postgres }) => {
  const calcom = await FakeCalcom.start();
  const settings = { CALENDAR_API_URL: calcom.url, PUBLIC_URL: 'https://hub.bench.example' };
  const stage = await BenchEnvironment.open(postgres, undefined, settings);
  const client = new pg.Client({ connectionString: stage.databaseUrl });
  await client.connect();
  try {
    await stage.introduce({ from: 0, count: PEOPLE }, 1);
    const calls = new Calls(stage, client, calcom, await connect(stage, calcom));
    const {
      alone,
      posted,
      told: received,
    } = await interleaved(
      {
        alone: {
          run: extent => driveLoad([0], extent, async (_, tally) => calls.post(tally, false)),
          settle: () => stage.settled(),
        },
        posted: { run: extent => driveLoad([0], extent, async (_, tally) => calls.post(tally)) },
        told: { run: extent => driveLoad([0], extent, async (_, tally) => calls.tell(tally)) },
      },
      effort,
    );
    return [
      {
        goal: '17',
        workload: 'calendar webhook until it is on the timeline, p95; replays add nothing',
        ours: perSecond(received),
        beside: `${perSecond(posted)} observations posted, their events delivered`,
        figure: spreadOf(received, posted, (a: Sample, b: Sample) => a.p95 / b.p95),
        unit: '',
        wanted: 'less',
        floor: 5,
        aim: 2,
        correct: allAnswered(received, posted) && (await calls.replaysAddNothing()),
        notes: [latencyOf('webhook', received), latencyOf('observation until its event is delivered', posted)],
      },
      {
        goal: '17',
        workload: 'the same, p50, beside the POST alone',
        ours: perSecond(received),
        beside: `${perSecond(alone)} observations posted`,
        figure: spreadOf(received, alone, (a: Sample, b: Sample) => a.p50 / b.p50),
        unit: '',
        wanted: 'less',
        correct: allAnswered(received, alone),
        notes: [latencyOf('observation', alone)],
      },
    ];
  } finally {
    await client.end();
    await stage.close();
    await calcom.close();
  }
};

async function connect({ hub, workspace }: BenchEnvironment, calcom: FakeCalcom): Promise<Account> {
  const account = calcom.account('cal_bench');
  const answer = await fetch(`${hub.url}/v2/workspace/integrations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workspace.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'calcom', credentials: { api_key: account.key } }),
  });
  if (answer.status !== 201) throw new Error(`connecting was answered ${answer.status}: ${await answer.text()}`);
  return account;
}

/** What both sides do, one call at a time. */
class Calls {
  private readonly sent: string[] = [];
  private made = 0;

  private readonly stage: BenchEnvironment;
  private readonly client: pg.Client;
  private readonly calcom: FakeCalcom;
  private readonly account: Account;

  constructor(stage: BenchEnvironment, client: pg.Client, calcom: FakeCalcom, account: Account) {
    this.stage = stage;
    this.client = client;
    this.calcom = calcom;
    this.account = account;
  }

  /** An observation; when it is awaited, until the queue has picked its event up and it is delivered. */
  async post(tally: Tally, isAwaited = true): Promise<void> {
    const value = { description: `Call ${this.made}` };
    const observations = [{ kind: 'event', property: 'interaction.call_held', value }];
    const body = JSON.stringify({ focus: personOf(this.made++ % PEOPLE), observations });
    const began = performance.now();
    const { status } = await this.ask(RECORD_PATH, body);
    if (status !== 200) return tally.fail(status);
    if (isAwaited) await until('its event is delivered', () => this.isDrained(), LIMIT_MS, LOOK_EVERY_MS);
    tally.done(performance.now() - began);
  }

  /** A webhook, until the account shows the meeting. */
  async tell(tally: Tally): Promise<void> {
    const email = personOf(this.made % PEOPLE);
    const row = bookingWith([email], { uid: `bench-${this.made++}`, createdAt: new Date().toISOString() });
    const body = JSON.stringify(createdOf(row));
    const began = performance.now();
    const { status } = await this.deliver(body);
    if (status !== 200) return tally.fail(status);
    await until('the meeting is shown', () => this.isShown(email, row.uid), LIMIT_MS, LOOK_EVERY_MS);
    tally.done(performance.now() - began);
    this.sent.push(body);
  }

  /** The same again, to the byte and spelt otherwise, leaves as many observations as there were. */
  async replaysAddNothing(): Promise<boolean> {
    const before = await this.logged();
    for (const body of this.sent.slice(-REPLAYS)) {
      await this.deliver(body);
      await this.deliver(` ${body}`);
    }
    await until('all is done', () => this.isDrained(), LIMIT_MS, LOOK_EVERY_MS);
    return (await this.logged()) === before && before === this.sent.length;
  }

  private deliver(body: string): Promise<Response> {
    const [hook] = this.account.hooks.all.values();
    return this.calcom.deliver(hook!, body, this.stage.hub.url);
  }

  private ask(path: string, body?: string): Promise<Response> {
    const headers = { authorization: `Bearer ${this.stage.workspace.key}`, 'content-type': 'application/json' };
    return fetch(this.stage.hub.url + path, body === undefined ? { headers } : { method: 'POST', headers, body });
  }

  private async isShown(email: string, uid: string): Promise<boolean> {
    return (await (await this.ask(`/v2/accounts/${email}?limit=4`)).text()).includes(`"${uid}"`);
  }

  private async isDrained(): Promise<boolean> {
    const sql = `SELECT FROM outbox UNION ALL SELECT FROM plugin_jobs WHERE kind <> 'job' LIMIT 1`;
    const [, , answer] = (await this.client.query(
      `BEGIN; SET LOCAL ROLE rapport_system; ${sql}; COMMIT`,
    )) as unknown as {
      rowCount: number;
    }[];
    return answer!.rowCount === 0;
  }

  private async logged(): Promise<number> {
    const sql = `SELECT count(*)::int AS n FROM observations WHERE workspace_id = $1 AND source = 'calcom' AND kind = 'event'`;
    const { databaseUrl, workspace } = this.stage;
    return (await inWorkspace<{ n: number }>(databaseUrl, workspace.id, sql, [workspace.id]))[0]!.n;
  }
}
