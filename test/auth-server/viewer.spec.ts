import { PUBLIC_URL } from '../support/browser-session.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { documentAt, operationsIn } from '../support/open-api.js';
import { signInPerson } from '../support/sign-in.js';

/** Operations with a body that only read, so that a viewer may call them. */
const READING = [
  'countCompanyFacets',
  'countPeopleFacets',
  'dedup',
  'getContext',
  'queryObservations',
  'scoreLeads',
  'searchNotes',
  'verifyFact',
];

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub({ PUBLIC_URL });
  acme = await hub.workspace();
});
afterAll(() => hub?.end());

it('a viewer can change nothing, whichever route they try', async () => {
  const { browser } = await signInPerson(hub.url, acme, 'viewer@people.example', 'viewer');
  const writing = operationsIn(await documentAt(hub.url)).filter(
    ({ method, path }) => method !== 'GET' && !path.startsWith('/auth/'),
  );
  const admitted: string[] = [];
  for (const { method, path, operationId } of writing) {
    const { status, body } = await browser.send(method, path.replaceAll(/\{\w+\}/g, 'ada@acme.com'), {});
    if (status !== 403 || body['error'] !== 'forbidden_scope') admitted.push(operationId);
  }
  expect(writing.length).toBeGreaterThan(60);
  expect(admitted.toSorted()).toEqual(READING);
});

it('a viewer scores described leads, and those of the graph without recording it', async () => {
  const { browser } = await signInPerson(hub.url, acme, 'scoring@people.example', 'viewer');
  await acme.post('/v2/observations', {
    focus: 'lead@acme.com',
    observations: [{ kind: 'state', property: 'title', value: 'CTO', source: 'user' }],
  });
  const score = (body: object) => browser.send('POST', '/v2/score', body);
  expect(await score({ attributes: { title: 'VP Sales' } })).toMatchObject({ status: 200 });
  expect(await score({ leads: [{ title: 'VP Sales' }] })).toMatchObject({ status: 200, body: { persisted: false } });
  expect(await score({ identifier: 'lead@acme.com', dry_run: true })).toMatchObject({
    status: 200,
    body: { resolved: true, persisted: false },
  });
  expect(await score({ identifier: 'lead@acme.com' })).toMatchObject({
    status: 403,
    body: { error: 'forbidden_scope', detail: expect.stringContaining('dry_run') },
  });
});
