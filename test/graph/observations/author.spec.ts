import { PUBLIC_URL } from '../../support/browser-session.js';
import { record, state, tryRecord } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { type SignedInPerson, signInPerson } from '../../support/sign-in.js';

interface Observation {
  readonly property: string;
  readonly value: unknown;
  readonly source: string;
  readonly method: string;
}

let hub: TestHub;
let acme: Client;
let ada: SignedInPerson;
let source: string;

beforeAll(async () => {
  hub = await startTestHub({ PUBLIC_URL });
});
beforeEach(async () => {
  acme = await hub.workspace();
  ada = await signInPerson(hub.url, acme, `ada-${acme.workspaceId}@people.example`, 'member');
  source = `person:${ada.id}`;
});
afterAll(() => hub?.end());

async function readLog(focus: string): Promise<Observation[]> {
  const { body } = await acme.get<{ recent_observations: Observation[] }>(`/v2/accounts/${encodeURIComponent(focus)}`);
  return body.recent_observations.map(each => ({
    property: each.property,
    value: each.value,
    source: each.source,
    method: each.method,
  }));
}
const readTitle = async (focus: string) =>
  (await acme.get<{ claims: Record<string, { value: unknown }> }>(`/v2/accounts/${focus}`)).body.claims['title']?.value;
const observe = (...observations: object[]) =>
  ada.browser.send('POST', '/v2/observations', { focus: 'kim@gmail.com', observations });

describe('what a signed-in person states', () => {
  it('has their source, and is a correction of another value', async () => {
    await record(acme, 'kim@gmail.com', [
      state('title', 'VP Sales', { source: 'crm:hubspot' }),
      state('city', 'Berlin', { source: 'crm:hubspot' }),
    ]);
    const { status } = await observe(
      { kind: 'state', property: 'title', value: 'CRO', source: 'agent', method: 'assert' },
      { kind: 'state', property: 'city', value: 'berlin' },
      { kind: 'state', property: 'seniority', value: 'c_level' },
      { kind: 'event', property: 'interaction.call_held' },
    );
    expect(status).toBe(200);
    expect((await readLog('kim@gmail.com')).filter(each => each.source === source)).toEqual(
      expect.arrayContaining([
        { property: 'title', value: 'CRO', source, method: 'correction' },
        { property: 'city', value: 'berlin', source, method: 'manual' },
        { property: 'seniority', value: 'c_level', source, method: 'manual' },
        expect.objectContaining({ property: 'interaction.call_held', source, method: 'manual' }),
      ]),
    );
  });

  it('survives the next sync of what it corrected', async () => {
    const sync = () => record(acme, 'kim@gmail.com', [state('title', 'VP Sales', { source: 'crm:hubspot' })]);
    await sync();
    await observe({ kind: 'state', property: 'title', value: 'CRO' });
    await sync();
    await sync();
    expect(await readTitle('kim@gmail.com')).toBe('CRO');
  });

  it('decides a contested claim as a correction, also if its value stays', async () => {
    const statements = [
      state('title', 'VP Sales', {
        source: 'crm:hubspot',
        observed_at: new Date(Date.now() - 86_400_000).toISOString(),
      }),
      state('title', 'CMO', { source: 'linkedin' }),
    ];
    await record(acme, 'kim@gmail.com', statements);
    const readClass = async () =>
      (await acme.get<{ claims: Record<string, object> }>('/v2/accounts/kim@gmail.com')).body.claims['title'];
    expect(await readClass()).toMatchObject({ value: 'VP Sales', epistemic_class: 'contested' });
    await observe({ kind: 'state', property: 'title', value: 'VP Sales' });
    expect((await readLog('kim@gmail.com'))[0]).toMatchObject({ value: 'VP Sales', source, method: 'correction' });
    expect(await readClass()).toMatchObject({ value: 'VP Sales', epistemic_class: 'corroborated' });
  });

  it('ends a fact as a correction', async () => {
    await record(acme, 'kim@gmail.com', [state('title', 'VP Sales', { source: 'crm:hubspot' })]);
    await observe({ kind: 'state', property: 'title', value: null });
    expect(await readTitle('kim@gmail.com')).toBeNull();
    expect(await readLog('kim@gmail.com')).toContainEqual({
      property: 'title',
      value: null,
      source,
      method: 'correction',
    });
  });

  it('has their source in people, leads, notes, facts and texts', async () => {
    const { send } = { send: ada.browser.send.bind(ada.browser) };
    const statuses = [
      await send('POST', '/v2/people', { email: 'one@gmail.com', name: 'One', title: 'CTO', source: 'import' }),
      await send('PATCH', '/v2/people/one@gmail.com', { title: 'CEO' }),
      await send('POST', '/v2/leads', { list: 'Autumn', email: 'two@gmail.com', title: 'CFO' }),
      await send('POST', '/v2/notes', { focus: 'one@gmail.com', content: 'Met at the fair.', source: 'import' }),
      await send('POST', '/v2/observations/from-text', { focus: 'three@gmail.com', text: 'Their budget is 40k.' }),
    ].map(({ status }) => status);
    expect(statuses.filter(status => status >= 300)).toEqual([]);
    const one = await readLog('one@gmail.com');
    expect(one).toContainEqual({ property: 'title', value: 'CTO', source, method: 'manual' });
    expect(one).toContainEqual({ property: 'title', value: 'CEO', source, method: 'correction' });
    expect(await readLog('two@gmail.com')).toContainEqual({
      property: 'title',
      value: 'CFO',
      source,
      method: 'manual',
    });
    const three = await readLog('three@gmail.com');
    expect(three.map(each => each.source)).toEqual(three.map(() => source));
    expect(three.map(({ property }) => property)).toContain('budget');
    expect(three.find(({ property }) => property === 'budget')!.method).not.toMatch(/manual|correction/);
    const { body } = await acme.get<{ notes: { id: string }[] }>('/v2/notes?focus=one@gmail.com');
    expect((await acme.get(`/v2/notes/${body.notes[0]!.id}`)).body).toMatchObject({ source });
    await acme.patch(`/v2/workspace/members/${ada.id}`, { role: 'admin' });
    await send('POST', '/v2/workspace/facts', { section: 'pricing', content: { seat: 40 } });
    const facts = await acme.get('/v2/workspace/facts?section=pricing');
    expect(JSON.stringify(facts.body)).toContain(source);
  });
});

describe('the source of a person', () => {
  it('is refused from an API key, and nothing is recorded', async () => {
    for (const given of [source, 'person:somebody', 'Person:X']) {
      const observations = [state('title', 'CTO'), state('title', 'CFO', { source: given })];
      const refused = await tryRecord(acme, 'new@gmail.com', observations);
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { error: 'reserved_source', details: [{ field: 'observations[1].source' }] },
      ]);
    }
    const person = await acme.post<{ error: string }>('/v2/people', { email: 'new@gmail.com', name: 'New', source });
    expect(person.body.error).toBe('reserved_source');
    const note = { focus: 'new@gmail.com', content: 'x', source };
    expect((await acme.post<{ error: string }>('/v2/notes', note)).body.error).toBe('reserved_source');
    const fact = { section: 'pricing', content: { seat: 40 }, source };
    expect((await acme.post<{ error: string }>('/v2/workspace/facts', fact)).body.error).toBe('reserved_source');
    const lead = { list: 'Autumn', email: 'new@gmail.com', title: 'CTO', source };
    expect(JSON.stringify((await acme.post('/v2/leads', lead)).body)).toContain('reserved_source');
    expect((await acme.get('/v2/accounts/new@gmail.com')).status).toBe(404);
  });
});
