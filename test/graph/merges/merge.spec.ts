import { account, event, record, state, wholeTimeline } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import { expectClaimsConsistent } from '../../support/graph/expect-claims-consistent.js';
import { linksOf, merge, tryMerge, tryUnmerge, unmerge } from '../../support/graph/merge-calls.js';

let hub: TestHub;
let acme: Client;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);
afterEach(() => expectClaimsConsistent(hub.database.pool, acme.workspaceId));

const on = (day: string) => ({ observed_at: `2026-${day}T00:00:00Z` });

/** The same person twice: a mailbox, then a profile. */
async function twice() {
  const mail = await record(acme, 'ada@gmail.com', [
    state('title', 'VP', on('01-10')),
    event('email_replied', on('03-01')),
  ]);
  const page = await record(acme, 'linkedin.com/in/ada', [
    state('title', 'CRO', on('10-01')),
    state('name', 'Ada Lovelace', on('10-01')),
    event('unsubscribed', on('02-01')),
  ]);
  return [mail.entity_id, page.entity_id] as const;
}

it('two become one: claims, identifiers and timeline of both, under the older id, by every name', async () => {
  const [mail, page] = await twice();
  const merged = await merge(acme, 'linkedin.com/in/ada', 'ada@gmail.com', { reason: 'same face' });
  const ids = { entity_id: mail, merged_ids: [page], dropped_id: page };
  const effects = { identifiers_moved: 1, observations_moved: 3, claims_moved: 2, claims_conflicted: 2 };
  expect(merged).toMatchObject({ status: 'merged', ...ids, ...effects, dry_run: false });
  for (const id of [mail, page, 'ada@gmail.com', 'linkedin.com/in/ada', 'Ada Lovelace']) {
    const { entity_id, merged_into, entity, identifiers, claims } = await account(acme, id);
    expect({ entity_id, merged_into }).toEqual({ entity_id: mail, merged_into: id === page ? mail : undefined });
    expect(entity).toMatchObject({ id: mail, name: 'Ada Lovelace', merged_ids: [page] });
    expect(identifiers.map(i => i.kind)).toEqual(['email', 'linkedin']);
    expect(claims['title']).toMatchObject({ value: 'CRO', history: [{ value: 'VP' }] });
    expect(claims['do_not_contact']!.value).toBe(true);
  }
  expect((await wholeTimeline(acme, mail, 2)).map(o => o.entity_id)).toEqual([page, page, mail, page, mail]);
  const past = await account(acme, mail, { as_of: '2026-02-15T00:00:00Z' });
  expect(past.claims['title']!.value).toBe('VP');
  expect(past.claims['do_not_contact']!.value).toBe(true);
});

it('what is written about either goes into the claims of both, also late', async () => {
  const [mail, page] = await twice();
  await merge(acme, mail, page);
  const written = await record(acme, 'linkedin.com/in/ada', [state('title', 'CEO', on('11-01'))]);
  expect(written.entity_id).toBe(mail);
  await record(acme, page, [state('title', 'Intern', on('01-01')), event('call_held', on('11-02'))]);
  const { claims, entity } = await account(acme, mail);
  expect(claims['title']).toMatchObject({
    value: 'CEO',
    history: [{ value: 'CRO' }, { value: 'VP' }, { value: 'Intern' }],
  });
  expect(entity.last_activity_at).toBe('2026-11-02T00:00:00.000000Z');
  await unmerge(acme, mail, page);
  const own = await account(acme, page);
  expect(own.claims['title']).toMatchObject({ value: 'CEO', history: [{ value: 'CRO' }, { value: 'Intern' }] });
  expect((await account(acme, mail)).claims['title']!.value).toBe('VP');
});

it('parted, both are what they were, and stay parted for every rule', async () => {
  const [mail, page] = await twice();
  const before = await Promise.all([mail, page].map(id => account(acme, id)));
  const { link_id } = await merge(acme, mail, page);
  const parted = await unmerge(acme, 'ada@gmail.com', page, { reason: 'twins' });
  const entities = [mail, page].map(entity_id => ({ entity_id, merged_ids: [] }));
  expect(parted).toMatchObject({ status: 'unmerged', entities, links_retracted: [link_id] });
  const after = await Promise.all([mail, page].map(id => account(acme, id)));
  const lasting = (read: (typeof after)[number]) =>
    JSON.stringify({ ...read, as_of: '', known_at: '' }, (key, value: unknown) =>
      key === 'freshness_score' ? 0 : value,
    );
  expect(after.map(lasting)).toEqual(before.map(lasting));
  const { links } = await linksOf(acme, mail);
  expect(links.map(({ kind, reason, retracted_at }) => [kind, reason, retracted_at !== null])).toEqual([
    ['not_same', 'twins', false],
    ['same_as', null, true],
  ]);
  expect(await merge(acme, mail, page)).toMatchObject({ status: 'merged', entity_id: mail });
});

it('merges add up, and the one that brought two together is the one that is undone', async () => {
  const [one, two, three] = await Promise.all(
    ['a', 'b', 'c'].map(n => record(acme, `${n}@gmail.com`, [state('title', n)])),
  );
  await merge(acme, two!.entity_id, three!.entity_id);
  await merge(acme, one!.entity_id, three!.entity_id);
  const oldest = (await account(acme, 'c@gmail.com')).entity_id;
  expect((await account(acme, oldest)).entity.merged_ids).toHaveLength(2);
  expect(await merge(acme, 'a@gmail.com', 'b@gmail.com')).toMatchObject({ status: 'already_merged', link_id: null });
  const { entities } = await unmerge(acme, 'a@gmail.com', 'b@gmail.com');
  expect(entities.map(e => e.merged_ids.length).toSorted()).toEqual([0, 1]);
  expect((await account(acme, 'a@gmail.com')).entity.merged_ids).toEqual([]);
  expect((await tryUnmerge(acme, 'a@gmail.com', 'c@gmail.com')).body.status).toBe('not_merged');
});

it('a dry run returns the same and changes nothing', async () => {
  const [mail, page] = await twice();
  const tried = await merge(acme, mail, page, { dry_run: true });
  expect(tried).toMatchObject({ status: 'merged', entity_id: mail, claims_conflicted: 2, dry_run: true });
  expect((await account(acme, page)).entity_id).toBe(page);
  expect((await linksOf(acme, page)).links).toEqual([]);
});

it('people follow their company into a merge and out of it', async () => {
  await record(acme, 'bo@acme.io', [state('title', 'CEO')]);
  const com = await record(acme, 'acme.com', [state('name', 'Acme')]);
  const io = (await account(acme, 'acme.io')).entity_id;
  expect(await merge(acme, 'acme.com', 'acme.io')).toMatchObject({ entity_id: io, dropped_id: com.entity_id });
  expect((await account(acme, 'bo@acme.io')).entity.company).toMatchObject({ id: io, name: 'Acme', domain: 'acme.io' });
  await record(acme, 'cy@acme.com', [state('title', 'CTO')]);
  expect((await account(acme, 'cy@acme.com')).entity.company).toMatchObject({ id: io });
  await unmerge(acme, 'acme.com', 'acme.io');
  expect((await account(acme, 'cy@acme.com')).entity.company).toMatchObject({ id: com.entity_id, domain: 'acme.com' });
  expect((await account(acme, 'bo@acme.io')).entity.company).toMatchObject({ id: io, name: null });
});

it('an Idempotency-Key is good for one merge', async () => {
  const [mail, page] = await twice();
  const first = await tryMerge(acme, mail, page, {}, { 'idempotency-key': 'once' });
  const again = await tryMerge(acme, mail, page, {}, { 'idempotency-key': 'once' });
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

it.each<[string, string, string, number, object]>([
  ['one and the same', 'ada@gmail.com', 'mailto:Ada@gmail.com', 400, { error: 'same_entity' }],
  ['a person and a company', 'ada@gmail.com', 'firm.com', 400, { error: 'merge_impossible' }],
  ['nobody', 'ada@gmail.com', 'no@gmail.com', 404, { error: 'entity_not_found', which: 'b' }],
  ['a bare name', 'Ada Lovelace', 'ada@gmail.com', 400, { error: 'invalid_focus', which: 'a' }],
])('refuses %s', async (_, a, b, status, error) => {
  await record(acme, 'ada@gmail.com', [state('title', 'x')]);
  await record(acme, 'firm.com', [state('headcount', 3)]);
  const answer = await tryMerge(acme, a, b);
  expect(answer).toMatchObject({ status, body: error });
});

describe('in the words of accounts', () => {
  const tryAccounts = (body: object) => acme.post<Record<string, unknown>>('/v2/accounts/merge', body);

  it('merges', async () => {
    const [mail, page] = await twice();
    const { status, body } = await tryAccounts({ keep: page, drop: 'ada@gmail.com' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'merged',
      keep_id: mail,
      drop_id: page,
      relationships_removed: 0,
      rows_repointed: {},
    });
    expect(await tryAccounts({ keep: page, drop: mail })).toMatchObject({
      status: 400,
      body: { error: 'same_entity' },
    });
  });

  it('says which of the two is missing, unknown or a name', async () => {
    const [mail] = await twice();
    expect(await tryAccounts({ keep: mail })).toMatchObject({ status: 400, body: { error: 'keep_and_drop_required' } });
    const unknown = await tryAccounts({ keep: mail, drop: 'no@gmail.com' });
    expect(unknown).toMatchObject({ status: 404, body: { error: 'entity_not_found', which: 'drop' } });
    const named = await tryAccounts({ keep: 'Ada Lovelace', drop: mail });
    expect(named).toMatchObject({
      status: 200,
      body: { status: 'ambiguous', which: 'keep', candidates: [{ name: 'Ada Lovelace' }] },
    });
  });
});
