import { RecordBatchWriter } from '#graph/observations/record-batch.writer.js';
import { readRecordRequest } from '#graph/observations/record-call.js';
import { account, event, record, state, tryRecord, wholeTimeline } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import { expectClaimsConsistent } from '../../support/graph/expect-claims-consistent.js';
import { merge, unmerge } from '../../support/graph/merge-calls.js';

let hub: TestHub;
let acme: Client;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);
afterEach(() => expectClaimsConsistent(hub.database.pool, acme.workspaceId));

const [ADA, PAGE] = ['ada@gmail.com', 'linkedin.com/in/ada'];

/** Records twice about each of these. */
async function meet(...focuses: readonly string[]): Promise<string[]> {
  for (const focus of focuses) await record(acme, focus, [state('title', `CTO as ${focus}`)]);
  const answers = await Promise.all(focuses.map(focus => record(acme, focus, [event('email_replied')])));
  return answers.map(({ entity_id }) => entity_id);
}

it('who was merged since is written about in the cluster, and after parting by themselves again', async () => {
  const [ada, page] = await meet(ADA, PAGE);
  await merge(acme, ADA, PAGE);
  expect((await record(acme, PAGE, [state('title', 'CEO')])).entity_id).toBe(ada);
  expect((await account(acme, ADA)).claims['title']).toMatchObject({ value: 'CEO' });
  expect((await wholeTimeline(acme, ada!, 50)).find(({ value }) => value === 'CEO')?.entity_id).toBe(page);

  await unmerge(acme, ADA, PAGE);
  expect((await record(acme, PAGE, [state('title', 'COO')])).entity_id).toBe(page);
  const titleOf = async (focus: string) => (await account(acme, focus)).claims['title']?.value;
  expect(await Promise.all([ADA, PAGE].map(titleOf))).toEqual([`CTO as ${ADA}`, 'COO']);
});

/** One batch of calls, in this order, and whom each was answered to be about. */
async function together(...focuses: readonly string[]): Promise<string[]> {
  return togetherStating([], ...focuses);
}

/** The same, where the last call states more. */
async function togetherStating(more: readonly object[], ...focuses: readonly string[]): Promise<string[]> {
  const calls = focuses.map((focus, i) => ({
    request: readRecordRequest({
      focus,
      observations: [state('title', `new as ${focus}`), ...(i === focuses.length - 1 ? more : [])],
    }),
    idempotencyKey: undefined,
  }));
  const writer = hub.app.get(RecordBatchWriter, { strict: false });
  const outcomes = await hub.database.work.run(acme.workspaceId, tx => writer.write(tx, calls));
  return outcomes.map(outcome => ('result' in outcome ? outcome.result.body.entity_id : String(outcome.error)));
}

it('who is named twice in a batch, as they were and as they are, is written about as they are', async () => {
  const [ada, page] = await meet(ADA, PAGE);
  await merge(acme, ADA, PAGE);
  expect(await together(PAGE, page!)).toEqual([ada, ada]);
  expect(await together(page!, PAGE, ADA)).toEqual([ada, ada, ada]);
  await unmerge(acme, ADA, PAGE);
  expect(await together(PAGE, page!)).toEqual([page, page]);
  expect((await account(acme, ADA)).claims['title']?.value).toBe(`new as ${ADA}`);
  expect((await account(acme, PAGE)).claims['title']?.value).toBe(`new as ${page}`);
});

it('writes to the current clusters beside a call that states another address', async () => {
  const [ada, page] = await meet(ADA, PAGE);
  await merge(acme, ADA, PAGE);
  expect(await together(PAGE, page!)).toEqual([ada, ada]);
  await unmerge(acme, ADA, PAGE);
  expect(await togetherStating([state('email', 'new@gmail.com')], PAGE, page!)).toEqual([page, page]);
  expect((await account(acme, ADA)).claims['title']?.value).toBe(`CTO as ${ADA}`);
});

it('calls about them in one transaction go where they belong, however many have moved', async () => {
  const focuses = Array.from({ length: 8 }, (_, i) => `p${i}@gmail.com`);
  const ids = await meet(...focuses);
  for (const i of [0, 2, 4]) await merge(acme, focuses[i]!, focuses[i + 1]!);
  const answers = await Promise.all(focuses.map(focus => record(acme, focus, [state('seniority', 'head')])));
  expect(answers.map(({ entity_id }) => ids.indexOf(entity_id))).toEqual([0, 0, 2, 2, 4, 4, 6, 7]);
});

it('finds an entity by its id as by its address, in its own workspace only', async () => {
  const [ada] = await meet(ADA);
  expect(await meet(ada!)).toEqual([ada]);
  const outsider = await hub.workspace();
  const { status } = await tryRecord(outsider, ada!, [state('title', 'CTO')]);
  expect(status).toBe(404);
  expect((await record(outsider, ADA, [state('title', 'CTO')])).entity_id).not.toBe(ada);
});

it('an address that is stated for them and belongs to somebody else still joins both', async () => {
  const [ada, page] = await meet(ADA, PAGE);
  const { entity_id, merge: outcome } = await record(acme, PAGE, [state('email', ADA)]);
  expect(outcome).toMatchObject({ status: 'merged', other_entity_id: ada });
  expect(entity_id).toBe(ada);
  expect((await record(acme, PAGE, [state('title', 'CEO')])).entity_id).toBe(ada);
  expect((await account(acme, page!)).merged_into).toBe(ada);
});

it('an entity that a call both merges and renames is found by its new name', async () => {
  await record(acme, ADA, [state('name', 'Ada Lovelace')]);
  await record(acme, PAGE, [state('title', 'CTO')]);
  const { merge: joined } = await record(acme, ADA, [state('linkedin_url', PAGE), state('name', 'Ada Byron')]);
  expect(joined).toMatchObject({ status: 'merged' });
  const find = async (text: string) =>
    (await acme.get<{ hits: { name: string }[] }>(`/v2/search?q=${text}`)).body.hits.map(({ name }) => name);
  expect(await find('byron')).toEqual(['Ada Byron']);
  expect(await find('lovelace')).toEqual([]);
});
