import type { AttentionResponse, PresentedMark } from '#graph/attention/attention.presenter.js';
import { finishErasure, tryErase } from '../../support/graph/erasure-calls.js';
import { type ErrorBody, event, record, state } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';

let hub: TestHub;
let acme: Client;
hubForSuite(
  made => (acme = made),
  started => (hub = started),
);

const DAY = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const list = async (query: Record<string, string> = {}) => {
  const { status, body } = await acme.get<AttentionResponse & ErrorBody>(`/v2/attention?${new URLSearchParams(query)}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
const idsOf = async (query: Record<string, string> = {}) => (await list(query)).items.map(({ id }) => id);
const itemPath = (id: string) => `/v2/attention/${encodeURIComponent(id)}`;
const snooze = (id: string, until: string) => acme.post<PresentedMark & ErrorBody>(`${itemPath(id)}/snooze`, { until });
const finish = (id: string, body: object = {}) => acme.post<PresentedMark & ErrorBody>(`${itemPath(id)}/done`, body);

/** Records a deal that has been quiet, and returns the ID of its item. */
async function createQuietDeal(name: string): Promise<string> {
  const { entity_id } = await record(acme, `${name}@gmail.com`, [
    state('stage', 'negotiation'),
    event('call_held', { observed_at: at(-12) }),
  ]);
  return `going_dark:${entity_id}:silence`;
}

describe('POST /v2/attention/:id/snooze', () => {
  it('leaves the item out until its time has come, and lists it among the snoozed ones', async () => {
    const [ada, bo] = [await createQuietDeal('ada'), await createQuietDeal('bo')];
    const until = at(2);
    const snoozed = await snooze(ada, until);
    expect(snoozed).toMatchObject({
      status: 200,
      body: { id: ada, state: 'snoozed', note: null, marked_by: { kind: 'key' } },
    });
    expect(Date.parse(snoozed.body.until!)).toBe(Date.parse(until));
    const open = await list();
    expect(open.items.map(({ id }) => id)).toEqual([bo]);
    expect(open.items[0]!.mark).toBeNull();
    expect(open.meta.total).toBe(1);
    expect((await list({ state: 'snoozed' })).items).toMatchObject([{ id: ada, mark: { state: 'snoozed' } }]);
    expect(await idsOf({ as_of: at(3) })).toContain(ada);
  });

  it('changes the time of a snoozed item, and is taken back by DELETE', async () => {
    const ada = await createQuietDeal('ada');
    await snooze(ada, at(2));
    await snooze(ada, at(9));
    expect(await idsOf({ as_of: at(3) })).toEqual([]);
    expect(await acme.delete(`${itemPath(ada)}/done`)).toMatchObject({ status: 404 });
    expect(await acme.delete(`${itemPath(ada)}/snooze`)).toMatchObject({
      status: 200,
      body: { id: ada, state: 'open' },
    });
    expect(await idsOf()).toEqual([ada]);
    expect(await acme.delete(`${itemPath(ada)}/snooze`)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it.each([
    ['a time that is past', at(-1), 'until'],
    ['a time in two years', at(731), 'until'],
    ['no time', 'soon', 'until'],
  ])('refuses %s', async (_name, until, field) => {
    const ada = await createQuietDeal('ada');
    expect(await snooze(ada, until)).toMatchObject({ status: 400, body: { details: [{ field }] } });
    expect(await idsOf()).toEqual([ada]);
  });

  it('refuses what is no item', async () => {
    expect(await snooze('nonsense', at(1))).toMatchObject({ status: 400, body: { details: [{ field: 'id' }] } });
    expect(await snooze('going_dark:01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17:silence', at(1))).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
  });
});

describe('POST /v2/attention/:id/done', () => {
  it('leaves the item out until there is a newer reason for it', async () => {
    const ada = await createQuietDeal('ada');
    expect(await finish(ada, { note: 'Called her.' })).toMatchObject({
      status: 200,
      body: { id: ada, state: 'done', until: null, note: 'Called her.' },
    });
    expect(await idsOf()).toEqual([]);
    expect((await list({ state: 'done' })).items).toMatchObject([{ id: ada, mark: { note: 'Called her.' } }]);
    expect(await idsOf({ as_of: at(30) })).toEqual([]);
    await record(acme, 'ada@gmail.com', [event('call_held', { observed_at: at(0) })]);
    expect(await idsOf({ as_of: at(30) })).toEqual([ada]);
  });

  it('is taken back by DELETE', async () => {
    const ada = await createQuietDeal('ada');
    await finish(ada);
    expect(await acme.delete(`${itemPath(ada)}/done`)).toMatchObject({ status: 200, body: { state: 'open' } });
    expect(await idsOf()).toEqual([ada]);
  });

  it('holds for a commitment that becomes due afterwards', async () => {
    const { entity_id } = await record(acme, 'ada@gmail.com', [
      state('action_item.1', { text: 'Send the file', due: at(3) }),
    ]);
    await finish(`open_commitment:${entity_id}:action_item.1`);
    expect(await idsOf({ as_of: at(4) })).toEqual([]);
    const [due] = await idsOf({ as_of: at(4), state: 'done' });
    expect(due).toBe(`commitment_due:${entity_id}:action_item.1`);
    expect(await acme.delete(`${itemPath(due!)}/done`)).toMatchObject({ status: 200, body: { id: due } });
    expect(await idsOf({ as_of: at(4) })).toEqual([due]);
  });

  it('gives its place among the three items of an entity to the next one', async () => {
    const { entity_id } = await record(acme, 'ada@gmail.com', [
      state('stage', 'negotiation'),
      event('call_held', { observed_at: at(-12) }),
      ...[1, 2, 3].map(n => state(`action_item.${n}`, { text: `Send file ${n}`, due: at(n) })),
    ]);
    const before = await idsOf();
    expect(before).toHaveLength(3);
    await finish(before[0]!);
    const after = await idsOf();
    expect(after).toHaveLength(3);
    expect(after).not.toContain(before[0]);
    expect(after.every(id => id.includes(entity_id))).toBe(true);
  });
});

it('the erasure of a person removes the marks of their items, and their address from notes on others', async () => {
  const [ada, bo] = [await createQuietDeal('ada'), await createQuietDeal('bo')];
  await finish(ada, { note: 'Promised a file.' });
  await finish(bo, { note: 'Wrote to ada@gmail.com instead.' });
  const { body } = await tryErase(acme, 'ada@gmail.com');
  await finishErasure(hub, acme, body.id!);
  const { items } = await list({ state: 'done' });
  expect(items).toMatchObject([{ id: bo, mark: { note: expect.not.stringContaining('ada@gmail.com') } }]);
  expect(await acme.delete(`${itemPath(ada)}/done`)).toMatchObject({ status: 404 });
});
