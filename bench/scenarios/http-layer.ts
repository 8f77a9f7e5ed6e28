import { threeObservations } from '../load/requests.ts';
import type { Extent } from '../load/sample.ts';
import { interleaved, rate, type Round, spreadOf } from '../measure.ts';
import { allAnswered, type Finding, latencyOf, perSecond } from '../report/finding.ts';
import { Helper } from '../env/helper.ts';
import type { Measure } from './bench.ts';
import { secretKeys } from '../env/secrets.ts';

const CONNECTIONS = 16;

const observations = JSON.stringify({ focus: 'ada@acme.com', observations: threeObservations(1) });
const person = JSON.stringify({ name: 'Ada Lovelace', email: 'ada@acme.com', plan: 'growth', seats: 12 });

/** Goal 18: what the layers before a handler cost: key, rate limit, validation, metrics, headers. */
export const httpLayer: Measure = async ({ effort, stage: open }) => {
  const stage = await open();
  const bare = Helper.start<'open', string>('baselines/bare.ts');
  const hub = Helper.start<'open', string>('baselines/empty-hub.ts', {
    DATABASE_URL: stage.databaseUrl,
    SECRET_KEYS: secretKeys,
    RATE_LIMITS: '0',
    PUBLIC_RATE_LIMIT: '0',
    REDIS_URL: '',
  });
  const [bareUrl, hubUrl] = [await bare.ask('open'), await hub.ask('open')];
  const side = (name: string, url: string, path: string, body: string, pid: number) => ({
    run: (extent: Extent) => stage.onServer(name, url, CONNECTIONS, extent, { name: 'post', path, body }),
    pid,
  });
  const sides = await interleaved(
    {
      bare: side('bare', bareUrl, '/empty', observations, bare.pid),
      read: side('empty hub', hubUrl, '/observations', observations, hub.pid),
      ruled: side('empty hub, dto', hubUrl, '/person', person, hub.pid),
      bareDto: side('bare, dto', bareUrl, '/empty', person, bare.pid),
    },
    effort,
  ).finally(() => Promise.all([bare.end(), hub.end()]));
  const finding = (workload: string, ours: Round[], limit: Round[]): Finding => ({
    goal: '18',
    workload,
    ours: perSecond(ours),
    beside: `${perSecond(limit)} bare Fastify`,
    figure: spreadOf(ours, limit, (a, b) => rate(a) / rate(b)),
    unit: '',
    wanted: 'more',
    floor: 0.4,
    aim: 0.75,
    correct: allAnswered(ours, limit),
    notes: [latencyOf('hub', ours), latencyOf('bare', limit)],
  });
  return [
    finding('empty handler: key + body of 3 observations checked', sides.read, sides.bare),
    finding('empty handler: key + body checked by class-validator', sides.ruled, sides.bareDto),
  ];
};
