import type { FastifyInstance } from 'fastify';
import { MAX_SLICE_UNITS } from '#kernel/scheduling/cooperative-scheduler.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: Client;
beforeAll(async () => {
  // On a busy machine the largest ones may take long; what counts here is how they are divided.
  hub = await startTestHub({ REQUEST_TIMEOUT_MS: '60000' });
  acme = await hub.workspace();
});
afterAll(() => hub.end());

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const person = (i: number) => ({ email: `person${i}@company${i}.com`, name: `Person ${i}`, title: `VP ${i}` });
const sentence = 'Ada is now CRO at Acme. Their budget is $40k, and they decide by March 3. ';

describe('the largest requests', () => {
  const requests: [what: string, path: string, body: () => object][] = [
    ['a long text', '/v2/observations/from-text', () => ({ focus: 'ada@acme.com', text: sentence.repeat(600) })],
    ['a long note', '/v2/notes', () => ({ focus: 'ada@acme.com', content: sentence.repeat(2_500) })],
    ['fifty thousand addresses', '/v2/dedup', () => ({ emails: times(50_000, i => person(i).email) })],
    ['a thousand leads', '/v2/score', () => ({ leads: times(1_000, person) })],
    ['a thousand rows', '/v2/lead-lists/attach', () => ({ name: 'Webinar', rows: times(1_000, person) })],
  ];

  it.each(requests)('work off %s in slices of bounded size', async (_, path, body) => {
    const { scheduler } = hub.app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    const before = scheduler.turnsGranted;
    const { status } = await acme.post(path, body());
    expect(status).toBeLessThan(300);
    expect(scheduler.turnsGranted).toBeGreaterThan(before);
    expect(scheduler.largestSlice).toBeLessThanOrEqual(MAX_SLICE_UNITS);
  });
});
