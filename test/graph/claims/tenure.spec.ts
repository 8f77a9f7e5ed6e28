import { account, record, state } from '../../support/graph/graph-calls.js';
import { type Client } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';

let acme: Client;

hubForSuite(made => (acme = made));

const ago = (days: number) => ({ observed_at: new Date(Date.now() - days * 86_400_000).toISOString() });
const FOCUS = 'ada@gmail.com';

interface PeoplePage {
  readonly people: readonly {
    readonly id: string;
    readonly epistemics: Readonly<Record<string, { readonly freshness: string; readonly freshness_reason?: string }>>;
  }[];
}

async function changeJob(): Promise<string> {
  await record(acme, FOCUS, [
    state('company', 'Acme', { ...ago(30), source: 'crm:a' }),
    state('title', 'CFO', { ...ago(30), source: 'crm:a' }),
  ]);
  const { entity_id } = await record(acme, FOCUS, [
    state('company', 'Globex', { ...ago(5), source: 'user', method: 'correction' }),
  ]);
  return entity_id;
}

describe('a new employer', () => {
  it('makes the facts of the earlier job suspect in every read', async () => {
    const id = await changeJob();
    const { claims } = await account(acme, FOCUS);
    expect(claims['title']).toMatchObject({ value: 'CFO', freshness: 'suspect' });
    expect(claims['title']!.freshness_reason).toMatch(/before the employer changed on \d{4}-\d\d-\d\d/);
    expect(claims['company']).toMatchObject({ value: 'Globex', freshness: 'fresh' });

    const verified = await acme.post('/v2/verify', { focus: FOCUS, property: 'title' });
    expect(verified.body).toMatchObject({ verdict: 'stale', safe_to_use: false, cached_differs: false });

    const filter = (freshness: string) => encodeURIComponent(JSON.stringify({ title: { $eq: 'CFO', freshness } }));
    const list = (freshness: string) =>
      acme.get<PeoplePage>(`/v2/people?include=epistemics&filter=${filter(freshness)}`);
    const { body: suspect } = await list('suspect');
    expect(suspect.people.map(row => row.id)).toEqual([id]);
    expect(suspect.people[0]!.epistemics['title']).toMatchObject({ freshness: 'suspect' });
    expect((await list('fresh')).body.people).toEqual([]);

    const context = await acme.post<{ safe_to_use: readonly unknown[] }>('/v2/context', {
      focus: FOCUS,
      task: 'write to her about her title and company',
    });
    expect(JSON.stringify(context.body.safe_to_use)).not.toContain('CFO');
    const asOf = encodeURIComponent(new Date(Date.now() - 10 * 86_400_000).toISOString());
    const before = await acme.get<{ claims: Record<string, object> }>(`/v2/accounts/${id}?as_of=${asOf}`);
    expect(before.body.claims['title']).toMatchObject({ freshness: 'fresh' });
  });

  it('leaves them suspect while the old CRM repeats them, until somebody states them for the new job', async () => {
    const id = await changeJob();
    await record(acme, FOCUS, [
      state('company', 'Acme', { ...ago(2), source: 'crm:a' }),
      state('title', 'CFO', { ...ago(2), source: 'crm:a' }),
    ]);
    expect((await account(acme, FOCUS)).claims['title']).toMatchObject({ freshness: 'suspect' });
    const filter = encodeURIComponent(JSON.stringify({ title: { freshness: 'suspect' } }));
    const list = () => acme.get<PeoplePage>(`/v2/people?filter=${filter}`);
    expect((await list()).body.people.map(row => row.id)).toEqual([id]);
    await record(acme, FOCUS, [state('title', 'CFO', { ...ago(1), source: 'linkedin' })]);
    expect((await account(acme, FOCUS)).claims['title']).toMatchObject({ freshness: 'fresh' });
    expect((await list()).body.people).toEqual([]);
  });

  it('makes a title unusable for scoring', async () => {
    await changeJob();
    const { body } = await acme.post<{ missing: readonly { property: string; reason: string }[] }>('/v2/score', {
      focus: FOCUS,
    });
    expect(body.missing).toContainEqual(expect.objectContaining({ property: 'title', reason: 'expired' }));
  });
});
