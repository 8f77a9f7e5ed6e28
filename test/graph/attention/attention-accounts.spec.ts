import type { AttentionResponse } from '#graph/attention/attention.presenter.js';
import { event, record, state } from '../../support/graph/graph-calls.js';
import type { Client } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';

let acme: Client;
hubForSuite(made => (acme = made));

const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const quiet = (email: string, days: number, name: string) =>
  record(acme, email, [
    state('name', name),
    state('stage', 'negotiation', { observed_at: at(days) }),
    event('call_held', { observed_at: at(days) }),
  ]);
const list = async (query: Record<string, string> = {}) => {
  const { body } = await acme.get<AttentionResponse>(
    `/v2/attention?${new URLSearchParams({ kinds: 'going_dark', ...query })}`,
  );
  return body;
};
const mark = (id: string, what: string, body: object) =>
  acme.post(`/v2/attention/${encodeURIComponent(id)}/${what}`, body);

/** Two people of Globex and one of Initech went quiet. Returns their IDs. */
async function goQuiet(): Promise<{ ada: string; bo: string; cy: string }> {
  const ada = await quiet('ada@globex.com', 20, 'Ada Lovelace');
  const bo = await quiet('bo@globex.com', 12, 'Bo Ek');
  const cy = await quiet('cy@initech.com', 12, 'Cy Young');
  return { ada: ada.entity_id, bo: bo.entity_id, cy: cy.entity_id };
}

describe('a company of which several people went quiet', () => {
  it('is one item with its people inside, as urgent as the most urgent of them', async () => {
    const { ada, bo, cy } = await goQuiet();
    const { items, meta } = await list();
    expect(meta).toMatchObject({ going_dark: 2, total: 2 });
    const [globex, initech] = items;
    expect(globex).toMatchObject({
      entity_type: 'company',
      headline: 'globex.com has been quiet for 12 days, with 2 people there.',
      what: 'Has been quiet for 12 days, with 2 people there.',
      age_days: 12,
      urgency: globex!.people![0]!.urgency,
    });
    expect(globex!.id).toBe(`going_dark:${globex!.entity_id}:silence`);
    expect(globex!.people).toMatchObject([
      { entity_id: ada, entity_name: 'Ada Lovelace', what: 'Has been quiet for 20 days; 5 would be usual.' },
      { entity_id: bo, entity_name: 'Bo Ek' },
    ]);
    expect(initech).toMatchObject({ entity_id: cy, entity_type: 'person' });
    expect(initech).not.toHaveProperty('people');
    expect((await acme.get<{ name: string }>(`/v2/accounts/${globex!.entity_id}`)).status).toBe(200);
  });

  it('is left out with all its people when it is snoozed, and comes back when the mark is removed', async () => {
    const { cy } = await goQuiet();
    const { id } = (await list()).items[0]!;
    expect(await mark(id, 'snooze', { until: at(-3) })).toMatchObject({ status: 200, body: { id, state: 'snoozed' } });
    expect((await list()).items.map(({ entity_id }) => entity_id)).toEqual([cy]);
    expect((await list({ state: 'snoozed' })).items).toMatchObject([
      { id, people: [{}, {}], mark: { state: 'snoozed' } },
    ]);
    expect((await acme.delete(`/v2/attention/${encodeURIComponent(id)}/snooze`)).status).toBe(200);
    expect((await list()).items.map(item => item.id)).toContain(id);
  });

  it('is listed person by person where people were marked one by one', async () => {
    const { ada, bo } = await goQuiet();
    const ids = [ada, bo].map(id => `going_dark:${id}:silence`);
    for (const id of ids) await mark(id, 'done', {});
    const { items } = await list({ state: 'done' });
    expect(items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(items.every(item => item.mark?.id === item.id)).toBe(true);
  });

  it('is done until one of them goes quiet again', async () => {
    const { bo, cy } = await goQuiet();
    const { id } = (await list()).items[0]!;
    await mark(id, 'done', {});
    expect((await list()).items.map(({ entity_id }) => entity_id)).toEqual([cy]);
    await record(acme, bo, [event('call_held')]);
    const inTwoWeeks = { as_of: at(-14) };
    expect((await list(inTwoWeeks)).items.map(({ entity_id }) => entity_id).toSorted()).toEqual([bo, cy].toSorted());
  });

  it('holds a person alone that was dealt with before the others went quiet', async () => {
    const { ada, bo, cy } = await goQuiet();
    await mark(`going_dark:${ada}:silence`, 'done', {});
    expect((await list()).items.map(({ entity_id }) => entity_id).toSorted()).toEqual([bo, cy].toSorted());
  });
});
