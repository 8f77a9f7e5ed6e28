import type { Added } from '#graph/leads/added.js';
import { event, record, state } from '../support/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

it('attach tells of each row whether it may be written to, as it was before the row was added', async () => {
  await record(acme, 'bo@gmail.com', [event('unsubscribed')]);
  await record(acme, 'cy@gmail.com', [state('title', 'CTO')]);
  const emails = ['al@gmail.com', 'bo@gmail.com', 'cy@gmail.com', 'al@gmail.com'];
  const body = { name: 'Spring', rows: [...emails.map(email => ({ email })), { name: 'Nobody' }], dedup: true };
  const first = await acme.post<Added>('/v2/lead-lists/attach', body);
  expect(first.status).toBe(201);
  expect(first.body.results.map(({ dedup }) => dedup?.outcome)).toEqual([
    'net_new',
    'unsubscribed',
    'net_new',
    'net_new',
    undefined,
  ]);
  expect(first.body.results[3]!.dedup).toMatchObject({ duplicate_of: 0 });
  const again = await acme.post<Added>('/v2/lead-lists/attach', {
    ...body,
    list_id: first.body.list_id,
    name: undefined,
  });
  expect(again.body.results[0]!.dedup).toMatchObject({ outcome: 'net_new', reason: 'known', lists: [] });
  const other = await acme.post<Added>('/v2/lead-lists/attach', { ...body, name: 'Summer' });
  expect(other.body.results[0]!.dedup).toMatchObject({ outcome: 'engaged', reason: 'in_list' });
  const plain = await acme.post<Added>('/v2/lead-lists/attach', { ...body, name: 'Autumn', dedup: false });
  expect(plain.body.results[0]).not.toHaveProperty('dedup');
});
