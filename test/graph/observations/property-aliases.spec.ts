import { account, event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

it('states are stored, claimed and returned under their canonical names', async () => {
  const facts = [
    state('job_title', 'VP'),
    state('deal_stage', 'demo'),
    state('company_size', 40),
    state('tech_stack', ['Go', 'Rust']),
    state('reachability_status', 'DELIVERABLE'),
    state('city', 'Paris'),
  ];
  const canonical = ['city', 'email_status', 'headcount', 'stage', 'technologies', 'title'];
  const { claims_recomputed } = await record(acme, 'ada@gmail.com', facts);
  expect(claims_recomputed).toEqual(canonical);
  const { claims, recent_observations } = await account(acme, 'ada@gmail.com');
  expect(Object.keys(claims)).toEqual(canonical);
  expect(claims['email_status']!.value).toBe('valid');
  expect(recent_observations.map(o => o.property).toSorted()).toEqual(canonical);
});

it('an alias and its canonical name contend for one claim', async () => {
  await record(acme, 'bo@gmail.com', [state('title', 'VP', { observed_at: '2026-01-01' })]);
  await record(acme, 'bo@gmail.com', [state('job_title', 'CRO', { observed_at: '2026-10-01' })]);
  const { claims } = await account(acme, 'bo@gmail.com');
  expect(claims['title']).toMatchObject({ value: 'CRO', history: [{ value: 'VP' }] });
});

it('an event keeps the name it was written with, and counts as what it means', async () => {
  const at = '2026-11-01T00:00:00.000000Z';
  await record(acme, 'cy@gmail.com', [event('email_received', { observed_at: at })]);
  const { claims, recent_observations, entity } = await account(acme, 'cy@gmail.com');
  expect(recent_observations[0]!.property).toBe('interaction.email_received');
  expect(claims['email_status']!.value).toBe('valid');
  expect(entity.last_inbound_activity_at).toBe(at);
});

it('a LinkedIn message says who wrote it when only its payload does', async () => {
  const at = '2026-11-01T00:00:00.000000Z';
  const message = (isOutbound: boolean, observed_at: string) =>
    event('linkedin_message', { observed_at, raw: { is_outbound: isOutbound }, value: { text: 'hi' } });
  await record(acme, 'di@gmail.com', [message(false, at), message(true, '2026-11-02T00:00:00Z')]);
  const { entity, recent_observations } = await account(acme, 'di@gmail.com');
  expect(entity.last_inbound_activity_at).toBe(at);
  expect(recent_observations.map(o => o.value)).toEqual([
    { text: 'hi', direction: 'outbound' },
    { text: 'hi', direction: 'inbound' },
  ]);
});
