import type { MergeOutcome } from '#graph/observations/identifier-conflicts.service.js';
import { account, event, record, state } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import { expectClaimsConsistent } from '../../support/graph/expect-claims-consistent.js';
import { linksOf, merge, unmerge } from '../../support/graph/merge-calls.js';

let hub: TestHub;
let acme: Client;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);
afterEach(() => expectClaimsConsistent(hub.database.pool, acme.workspaceId));

const email = (address: string, more: object = {}) => state('email', address, more);

it('a person who states the address of another is merged with them', async () => {
  const mail = await record(acme, 'ada@acme.com', [
    state('title', 'VP', { observed_at: '2026-01-01' }),
    event('unsubscribed'),
  ]);
  const page = await record(acme, 'linkedin.com/in/ada', [state('title', 'CRO', { observed_at: '2026-10-01' })]);
  const stating = await record(acme, 'linkedin.com/in/ada', [email('Ada@acme.com'), state('title', 'CEO')]);
  const merged: MergeOutcome = { status: 'merged', other_entity_id: mail.entity_id, guards: [] };
  expect(stating).toMatchObject({ entity_id: mail.entity_id, entity_created: false, recorded: 2, merge: merged });
  const { claims, entity } = await account(acme, page.entity_id);
  expect(entity).toMatchObject({ id: mail.entity_id, merged_ids: [page.entity_id], company: { domain: 'acme.com' } });
  expect(claims['title']).toMatchObject({ value: 'CEO', history: [{ value: 'CRO' }, { value: 'VP' }] });
  expect(claims['do_not_contact']!.value).toBe(true);
  const { links } = await linksOf(acme, mail.entity_id);
  expect(links).toMatchObject([{ kind: 'same_as', source: 'rule:identifier', reason: 'email ada@acme.com' }]);
  expect(await record(acme, 'linkedin.com/in/ada', [email('ada@acme.com')])).not.toHaveProperty('merge');
});

it('somebody new who turns out to be known is taken for the known one at once', async () => {
  const known = await record(acme, 'ada@acme.com', [state('title', 'VP')]);
  const fresh = await record(acme, 'linkedin.com/in/ada', [email('ada@acme.com'), state('city', 'Paris')]);
  expect(fresh).toMatchObject({ entity_id: known.entity_id, entity_created: true, merge: { status: 'merged' } });
  expect(Object.keys((await account(acme, 'ada@acme.com')).claims)).toEqual(expect.arrayContaining(['city', 'title']));
});

describe('is only proposed, and the address disputed,', () => {
  const guardsOf = async (focus: string, observations: object[]) => {
    const { merge, entity_id } = await record(acme, focus, observations);
    expect(merge?.status).toBe('proposed');
    const { proposals } = await linksOf(acme, entity_id);
    expect(proposals).toMatchObject([{ entity_id, other_entity_id: merge!.other_entity_id, guards: merge!.guards }]);
    const disputed = (await account(acme, entity_id)).identifiers.filter(i => i.disputed);
    const theirs = (await account(acme, merge!.other_entity_id)).identifiers.filter(i => i.disputed);
    expect(disputed.map(i => i.key)).toEqual(theirs.map(i => i.key));
    return merge!.guards;
  };

  it('when the source is weak', async () => {
    await record(acme, 'ada@gmail.com', [state('title', 'VP')]);
    expect(await guardsOf('linkedin.com/in/ada', [email('ada@gmail.com', { source: 'csv' })])).toEqual(['weak_source']);
  });

  it('when many read the mailbox', async () => {
    await record(acme, 'info@acme.com', [state('title', 'VP')]);
    expect(await guardsOf('linkedin.com/in/ada', [email('info@acme.com')])).toEqual(['shared_mailbox']);
  });

  it('when both have a profile of their own', async () => {
    await record(acme, 'ada@gmail.com', [state('linkedin_url', 'linkedin.com/in/ada')]);
    expect(await guardsOf('linkedin.com/in/bea', [email('ada@gmail.com')])).toEqual(['different_linkedin']);
  });

  it('when both have an address of their own at one company, unless one of them is dead', async () => {
    await record(acme, 'ada@acme.com', [state('title', 'VP')]);
    await record(acme, 'linkedin.com/in/ada', [email('ada.l@acme.com', { observed_at: '2026-01-01' })]);
    const stated = [email('ada@acme.com', { observed_at: '2026-02-01' })];
    expect(await guardsOf('linkedin.com/in/ada', stated)).toEqual(['different_work_email']);
    expect(await record(acme, 'linkedin.com/in/ada', stated)).toMatchObject({ merge: { status: 'merged' } });
    expect((await account(acme, 'ada@acme.com')).identifiers.filter(i => i.disputed)).toEqual([]);
  });

  it('when they are kept apart', async () => {
    await record(acme, 'ada@gmail.com', [state('title', 'VP')]);
    await record(acme, 'linkedin.com/in/ada', [state('title', 'VP')]);
    expect(await unmerge(acme, 'ada@gmail.com', 'linkedin.com/in/ada')).toMatchObject({ status: 'not_merged' });
    const { merge: outcome } = await record(acme, 'linkedin.com/in/ada', [email('ada@gmail.com')]);
    expect(outcome).toMatchObject({ status: 'proposed', guards: ['not_same'] });
    expect((await linksOf(acme, 'ada@gmail.com')).proposals).toEqual([]);
    expect(await merge(acme, 'ada@gmail.com', 'linkedin.com/in/ada')).toMatchObject({ status: 'merged' });
  });
});

it('a proposal is gone once it was carried out or declined', async () => {
  await record(acme, 'ada@gmail.com', [state('title', 'VP')]);
  const { merge: outcome } = await record(acme, 'linkedin.com/in/ada', [email('ada@gmail.com', { source: 'csv' })]);
  expect(outcome!.status).toBe('proposed');
  await merge(acme, 'linkedin.com/in/ada', 'ada@gmail.com');
  expect((await linksOf(acme, 'ada@gmail.com')).proposals).toEqual([]);
  await unmerge(acme, 'linkedin.com/in/ada', 'ada@gmail.com');
  expect((await linksOf(acme, 'ada@gmail.com')).proposals).toEqual([]);
});
