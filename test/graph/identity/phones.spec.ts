import { GraphPortFactory } from '#plugin-host/context/plugin-ports.js';
import { account, record, state, tryAccount, tryRecord } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: Client;
let last = 100_000;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

const nextNumber = () => `+4930${(last += 1)}`;
const upsert = async (...people: Record<string, string>[]) =>
  hub.app
    .get(GraphPortFactory, { strict: false })
    .create({ workspaceId: acme.workspaceId, plugin: 'acme', connectionId: null })
    .people.upsert(people);
const idsOf = (results: readonly object[]) => results.map(each => ('entity_id' in each ? each.entity_id : each));

describe('a phone number as a focus', () => {
  it('creates a person, who is found in every spelling', async () => {
    const number = nextNumber();
    const { entity_id } = await record(acme, `tel:${number}`, [state('name', 'Ada Byron')]);
    const spelled = `+49 (30) ${number.slice(5)}`;
    for (const focus of [number, `tel:${number}`, spelled]) {
      expect(await account(acme, focus)).toMatchObject({ entity_id, entity: { type: 'person' } });
    }
    const again = await acme.post('/v2/observations', {
      focus: { phone: spelled },
      observations: [state('title', 'x')],
    });
    expect(again).toMatchObject({ status: 200, body: { entity_id, entity_created: false } });
  });

  it('takes national numbers of `default_country`, and refuses them without one', async () => {
    const other = await hub.workspace();
    const focus = { phone: '030 901820' };
    const observations = [state('title', 'x')];
    const refused = await other.post('/v2/observations', { focus, observations });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_focus' } });
    const content = { name: 'Other', default_country: 'de' };
    const profile = await other.post('/v2/workspace/facts', { section: 'profile', content });
    expect(profile.status).toBe(201);
    const created = await other.post<{ entity_id: string }>('/v2/observations', { focus, observations });
    expect(created.status).toBe(200);
    expect(await account(other, '+4930901820')).toMatchObject({ entity_id: created.body.entity_id });
    const country = { section: 'profile', content: { default_country: 'Germany' } };
    expect(await other.post('/v2/workspace/facts', country)).toMatchObject({ status: 400 });
  });

  it('finds who has it stated, and is ambiguous if several have it', async () => {
    const number = nextNumber();
    const ada = await record(acme, 'ada1@acme.com', [state('phone', number), state('name', 'Ada Byron')]);
    expect(await account(acme, number)).toMatchObject({ entity_id: ada.entity_id });
    const bo = await record(acme, 'bo1@acme.com', [state('phones', [number]), state('name', 'Bo Li')]);
    const read = await tryAccount(acme, number);
    expect(read.body).toMatchObject({ status: 'ambiguous' });
    const write = await tryRecord(acme, number, [state('title', 'x')]);
    const entity_ids = [ada.entity_id, bo.entity_id];
    expect(write).toMatchObject({ status: 409, body: { error: 'ambiguous_focus' } });
    expect((write.body as unknown as { entity_ids: string[] }).entity_ids.toSorted()).toEqual(entity_ids.toSorted());
    const found = await acme.get<{ hits: { entity_id: string }[] }>(`/v2/search?q=${encodeURIComponent(number)}`);
    expect(found.body.hits.map(each => each.entity_id).toSorted()).toEqual(entity_ids.toSorted());
    const merged = await acme.post('/v2/entities/merge', { a: ada.entity_id, b: bo.entity_id });
    expect(merged.status).toBe(200);
    const { entity_id, identifiers } = await account(acme, number);
    expect(entity_ids).toContain(entity_id);
    expect(identifiers.filter(({ kind }) => kind === 'phone')).toHaveLength(1);
  });

  it('never means a company, which can state the number of its people', async () => {
    const number = nextNumber();
    const company = await record(acme, 'phones-ltd.com', [state('name', 'Phones Ltd')]);
    await record(acme, company.entity_id, [state('phone', number)]);
    expect(await tryAccount(acme, number)).toMatchObject({ status: 404 });
    const { entity_id } = await record(acme, number, [state('name', 'Ada Byron')]);
    expect(entity_id).not.toBe(company.entity_id);
    expect(await account(acme, number)).toMatchObject({ entity_id, entity: { type: 'person' } });
  });
});

describe('people.upsert of rows with a phone number only', () => {
  it('creates a person once, and keeps people of other names apart', async () => {
    const phone = nextNumber();
    const rows = [
      { phone, name: 'Ada Byron' },
      { phone, name: 'Bo Li' },
      { phone, name: 'Ada Byron' },
      { phone, name: 'Bo Li' },
    ];
    const [ada, bo, ada2, bo2] = idsOf(await upsert(...rows));
    expect([ada2, bo2]).toEqual([ada, bo]);
    expect(ada).not.toBe(bo);
    expect(idsOf(await upsert(...rows))).toEqual([ada, bo, ada, bo]);
    expect(await upsert({ phone, title: 'CFO' })).toMatchObject([{ error: expect.stringContaining('phone number') }]);
  });

  it('matches the remaining owner after the first one was erased', async () => {
    const phone = nextNumber();
    const [ada, bo] = idsOf(await upsert({ phone, name: 'Ada Byron' }, { phone, name: 'Bo Li' })) as string[];
    const erased = await acme.post(`/v2/people/${ada}/erase`, {});
    expect(erased.status).toBeLessThan(300);
    expect(idsOf(await upsert({ phone, title: 'CFO' }))).toEqual([bo]);
  });

  it('adds a number that somebody else has to a person with an address', async () => {
    const phone = nextNumber();
    const [ada] = idsOf(await upsert({ phone, name: 'Ada Byron' }));
    const { entity_id } = await record(acme, 'cy@acme.com', [state('name', 'Cy Twombly')]);
    const patched = await acme.patch(`/v2/people/${entity_id}`, { phone });
    expect(patched).toMatchObject({ status: 200, body: { entity_id } });
    expect(idsOf(await upsert({ phone, name: 'Ada Byron' }, { phone, name: 'Cy Twombly' }))).toEqual([ada, entity_id]);
  });
});
