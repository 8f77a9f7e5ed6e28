import { account, event, record, state } from '../../support/graph/graph-calls.js';
import { type Client } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';

let acme: Client;

hubForSuite(made => (acme = made));

const ago = (days: number) => ({ observed_at: new Date(Date.now() - days * 86_400_000).toISOString() });
const OLD = 'ada@before.example';
const NEW = 'ada@now.example';
const DEAD = { code: '5.1.1' };

/** Ada has had two addresses, and the newer one is current. */
async function move(): Promise<string> {
  await record(acme, OLD, [state('email', OLD, { ...ago(200), source: 'crm:a' })]);
  const { entity_id } = await record(acme, OLD, [
    state('email', NEW, { ...ago(20), source: 'user', method: 'correction' }),
  ]);
  return entity_id;
}

async function statusesOf(id: string): Promise<Record<string, string | undefined>> {
  const { identifiers } = await account(acme, id);
  const emails = identifiers.filter(({ kind }) => kind === 'email');
  return Object.fromEntries(emails.map(({ value, status }) => [value, status as string | undefined]));
}

const verify = async (property: string) =>
  (await acme.post('/v2/verify', { focus: NEW, property })).body as Record<string, unknown>;

describe('the status of an address', () => {
  it('stays with the old address when that bounces, whether the call or the event names it', async () => {
    const id = await move();
    const byFocus = event('email_bounced', { value: DEAD, ...ago(5), source: 'email:gmail' });
    const { claims_recomputed } = await record(acme, OLD, [byFocus]);
    expect(claims_recomputed).toEqual(['email_status']);
    const byDetails = event('email_bounced', { value: { ...DEAD, email: OLD }, ...ago(4), source: 'email:gmail' });
    await record(acme, id, [byDetails]);

    const { claims } = await account(acme, id);
    expect(claims['email']).toMatchObject({ value: NEW, freshness: 'fresh' });
    expect(claims['email_status']).toBeUndefined();
    expect(await statusesOf(id)).toEqual({ [OLD]: 'bounced', [NEW]: undefined });
    expect(await verify('email')).toMatchObject({ verdict: 'confirmed', safe_to_use: true, cached_differs: false });
    expect(await verify('email_status')).toMatchObject({ verdict: 'unknown', cached_differs: false });
  });

  it('makes the current address unsafe in every read once that bounces, until somebody answers from it', async () => {
    const id = await move();
    await record(acme, NEW, [event('email_bounced', { value: DEAD, ...ago(5), source: 'email:gmail' })]);
    const { claims } = await account(acme, id);
    expect(claims['email']).toMatchObject({ value: NEW, freshness: 'suspect' });
    expect(claims['email_status']).toMatchObject({ value: 'bounced' });
    expect(await verify('email')).toMatchObject({ verdict: 'stale', safe_to_use: false, cached_differs: false });
    const list = async (freshness: string) => {
      const filter = encodeURIComponent(JSON.stringify({ email: { $eq: NEW, freshness } }));
      const { body } = await acme.get<{ people: { id: string }[] }>(`/v2/people?filter=${filter}`);
      return body.people.map(row => row.id);
    };
    expect(await list('suspect')).toEqual([id]);
    expect(await list('fresh')).toEqual([]);
    const attention = await acme.get<{ items: object[] }>('/v2/attention?kinds=decayed_fact');
    expect(attention.body.items).toContainEqual(
      expect.objectContaining({
        what: expect.stringMatching(/^Has an email that bounced on \d{4}-\d\d-\d\d\.$/) as string,
        suggested_action: 'Find a working address before you write.',
      }),
    );

    await record(acme, NEW, [event('email_replied', { ...ago(1), source: 'email:gmail' })]);
    expect((await account(acme, id)).claims['email']).toMatchObject({ freshness: 'fresh' });
    expect(await list('fresh')).toEqual([id]);
  });

  it('is that of the address in the same call where a status is stated', async () => {
    const { entity_id } = await record(acme, 'https://linkedin.com/in/ada', [
      state('email', OLD),
      state('email_status', 'risky'),
    ]);
    await record(acme, entity_id, [state('email', NEW, { source: 'user', method: 'correction' })]);
    expect((await account(acme, entity_id)).claims['email_status']).toBeUndefined();
    expect(await statusesOf(entity_id)).toEqual({ [OLD]: 'risky', [NEW]: undefined });
  });

  it('follows when the old address becomes the current one again, and survives a rebuild', async () => {
    const id = await move();
    await record(acme, OLD, [event('email_replied', { ...ago(5), source: 'email:gmail' })]);
    await record(acme, id, [state('email', OLD, { source: 'user', method: 'correction' })]);
    expect((await account(acme, id)).claims['email_status']).toMatchObject({ value: 'valid' });
    const before = { as_of: new Date(Date.now() - 2 * 86_400_000).toISOString() };
    const past = await account(acme, id, before);
    expect(past.claims['email']).toMatchObject({ value: NEW });
    expect(past.claims['email_status']).toBeUndefined();
    expect(await verify('email_status')).toMatchObject({ verdict: 'confirmed', cached_differs: false });
  });

  it('shows only its own statements as evidence', async () => {
    const id = await move();
    await record(acme, OLD, [event('email_bounced', { value: DEAD, ...ago(6), source: 'email:gmail' })]);
    await record(acme, NEW, [event('email_replied', { ...ago(5), source: 'email:gmail' })]);
    const { body } = await acme.get<{ statements: { value: unknown }[]; series: { value: unknown }[] }>(
      `/v2/accounts/${id}/claims/email_status`,
    );
    expect(body.statements.map(({ value }) => value)).toEqual(['valid']);
    expect(new Set(body.series.map(({ value }) => value))).toEqual(new Set(['valid']));
  });

  it('decides about cold outreach address by address', async () => {
    const id = await move();
    await record(acme, 'https://linkedin.com/in/ada', [state('name', 'Ada')]);
    await record(acme, NEW, [event('email_bounced', { value: DEAD, ...ago(300), source: 'email:gmail' })]);
    const rows = [{ email: NEW }, { email: OLD }];
    const { body } = await acme.post<{ results: object[] }>('/v2/dedup', { rows });
    expect(body.results).toMatchObject([
      { outcome: 'bounced', entity_id: id },
      { outcome: 'bounced', reason: 'address_ended', entity_id: id },
    ]);
  });
});
