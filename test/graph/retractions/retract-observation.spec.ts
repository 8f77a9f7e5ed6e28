import type { RetractionList, RetractionResponse } from '#graph/retractions/retractions.presenter.js';
import { account, type ErrorBody, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { signInPerson } from '../../support/sign-in.js';
import { PUBLIC_URL } from '../../support/browser-session.js';

const EMAIL = 'ada@acme.example';
const UNKNOWN = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub({ PUBLIC_URL });
});
beforeEach(async () => {
  acme = await hub.workspace();
  await record(acme, EMAIL, [state('title', 'CFO', { source: 'crm:a', observed_at: '2026-10-01T00:00:00Z' })]);
});
afterAll(() => hub?.end());

const retract = (id: string, body: object = {}, client = acme) =>
  client.post<RetractionResponse & ErrorBody>(`/v2/observations/${id}/retract`, body);
const titleOf = async () => (await account(acme, EMAIL)).claims['title']!;

describe('POST /v2/observations/:id/retract', () => {
  it('takes a correction of a person back, and the claim is what it was', async () => {
    const before = await titleOf();
    const { browser, id } = await signInPerson(hub.url, acme, 'olga@people.example', 'member');
    const { body } = await browser.send<{ observation_ids: [string] }>('POST', '/v2/observations', {
      focus: EMAIL,
      observations: [state('title', 'CTO')],
    });
    expect((await titleOf()).value).toBe('CTO');
    const path = `/v2/observations/${body.observation_ids[0]}/retract`;
    const undone = await browser.send<RetractionResponse>('POST', path, { reason: 'A slip' });
    expect(undone.body).toMatchObject({ source: `person:${id}`, observations: 1, has_more: false, dry_run: false });
    expect(await titleOf()).toEqual(before);
    const { retractions } = (await acme.get<RetractionList>('/v2/retractions')).body;
    expect(retractions).toMatchObject([{ reason: 'A slip', actor: { kind: 'person', id }, observations: 1 }]);
  });

  it('leaves the other observations of the same call, and what was known before', async () => {
    const { observation_ids } = await record(acme, EMAIL, [state('title', 'CTO'), state('city', 'Oslo')]);
    const known = new Date().toISOString();
    expect((await retract(observation_ids[0]!)).status).toBe(200);
    const { claims } = await account(acme, EMAIL);
    expect([claims['title']!.value, claims['city']!.value]).toEqual(['CFO', 'Oslo']);
    const past = await account(acme, EMAIL, { known_at: known });
    expect(past.claims['title']!.value).toBe('CTO');
  });

  it('changes nothing in a dry run, and is done once', async () => {
    const { observation_ids } = await record(acme, EMAIL, [state('title', 'CTO')]);
    const id = observation_ids[0]!;
    expect((await retract(id, { dry_run: true })).body).toMatchObject({ observations: 1, dry_run: true });
    expect((await titleOf()).value).toBe('CTO');
    expect((await retract(id)).status).toBe(200);
    const again = await retract(id);
    expect([again.status, again.body.error]).toEqual([404, 'not_found']);
    const both = await record(acme, EMAIL, [state('title', 'COO')]);
    const answers = await Promise.all([retract(both.observation_ids[0]!), retract(both.observation_ids[0]!)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await titleOf()).value).toBe('CFO');
  });

  it('refuses what the hub derived, what is unknown, and what is of another workspace', async () => {
    const { recent_observations } = await account(acme, EMAIL, { limit: '50' });
    const derived = recent_observations.find(({ source }) => source.startsWith('system:'));
    expect((await retract(derived!.id)).body).toMatchObject({ error: 'invalid_request' });
    for (const id of [UNKNOWN, 'no-id']) expect((await retract(id)).status).toBe(404);
    const { observation_ids } = await record(acme, EMAIL, [state('title', 'CTO')]);
    expect((await retract(observation_ids[0]!, {}, await hub.workspace())).status).toBe(404);
    const bad = await retract(observation_ids[0]!, { reason: 5, dry_run: 'yes' });
    expect(bad.body).toMatchObject({ details: [{ field: 'reason' }, { field: 'dry_run' }] });
  });
});
