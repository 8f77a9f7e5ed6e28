import type { AmbiguousName } from '#graph/identity/entity-resolver.service.js';
import { account, type ErrorBody, event, record, state, tryAccount } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

describe('GET /v2/accounts/:id by identifier', () => {
  let ada: string;
  let hopper: string;
  let company: string;

  beforeAll(async () => {
    const identifiers = [
      state('linkedin_url', 'https://www.linkedin.com/in/ada-lovelace'),
      state('name', 'Ada Lovelace'),
    ];
    ada = (await record(acme, 'ada.lovelace@engine.co.uk', identifiers)).entity_id;
    hopper = (await record(acme, 'Grace.Hopper+navy@googlemail.com', [state('name', 'Grace Hopper')])).entity_id;
    company = (await account(acme, 'engine.co.uk')).entity_id;
  });

  it.each([
    ['an e-mail address', 'ada.lovelace@engine.co.uk'],
    ['one in capitals', 'ADA.Lovelace@Engine.CO.UK'],
    ['one as a link', 'mailto:ada.lovelace@engine.co.uk?subject=Hi'],
    ['one with a name', '"Lovelace, Ada" <ada.lovelace@engine.co.uk>'],
    ['a profile', 'https://www.linkedin.com/in/ada-lovelace/'],
    ['a profile without scheme', 'linkedin.com/in/ada-lovelace'],
    ['a profile by country and query', 'https://uk.linkedin.com/in/Ada-Lovelace/de?trk=x'],
    ['a name', 'Ada Lovelace'],
    ['a name in other letters and spaces', '  ada   LOVELACE '],
    ['a name with a title', 'Dr. Ada Lovelace'],
  ])('finds a person by %s', async (_, id) => {
    expect((await account(acme, id)).entity_id).toBe(ada);
  });

  it('finds an entity by its id, in every spelling of one', async () => {
    for (const id of [ada, ada.toUpperCase(), `urn:uuid:${ada}`]) {
      expect((await account(acme, id)).entity_id).toBe(ada);
    }
  });

  it.each(['gracehopper@gmail.com', 'g.r.a.c.e.hopper@gmail.com', 'GraceHopper+other@googlemail.com'])(
    'knows %s as the same mailbox',
    async id => expect((await account(acme, id)).entity_id).toBe(hopper),
  );

  it.each(['engine.co.uk', 'https://www.engine.co.uk/pricing', 'mail.engine.co.uk', 'ENGINE.co.uk.'])(
    'finds a company by %s',
    async id => expect((await account(acme, id)).entity_id).toBe(company),
  );

  it('does not take a tag of a private domain for the same mailbox', async () => {
    expect((await tryAccount(acme, 'ada.lovelace+crm@engine.co.uk')).status).toBe(404);
  });

  it('says who it is and lists what names them', async () => {
    const body = await account(acme, ada);
    expect(body).toMatchObject({ entity_id: ada, type: 'person', name: 'Ada Lovelace' });
    expect(body.entity).toMatchObject({ id: ada, type: 'person', company: { id: company, domain: 'engine.co.uk' } });
    expect(body.identifiers.map(({ kind, key }) => `${kind} ${key}`).toSorted()).toEqual([
      'email ada.lovelace@engine.co.uk',
      'linkedin linkedin.com/in/ada-lovelace',
    ]);
  });

  it('marks the mailbox of a function', async () => {
    await record(acme, 'sales@loom.co.uk', [event('email_sent')]);
    const { identifiers } = await account(acme, 'sales@loom.co.uk');
    expect(identifiers).toMatchObject([{ value: 'loom.co.uk' }, { value: 'sales@loom.co.uk', shared_mailbox: true }]);
  });

  it('shows a company with its own claims and timeline, and its type', async () => {
    await record(acme, 'engine.co.uk', [
      state('industry', 'Computing'),
      state('name', 'Engine Ltd'),
      event('form_submitted'),
    ]);
    const body = await account(acme, 'engine.co.uk');
    expect(body).toMatchObject({ entity_id: company, type: 'company', name: 'Engine Ltd', entity: { company: null } });
    expect(Object.keys(body.claims).toSorted()).toEqual(['industry', 'name']);
    const own = body.recent_observations.filter(o => o.person_id === undefined);
    expect(own.map(o => o.type).toSorted()).toEqual(['form_submitted', 'industry', 'name']);
    expect((await account(acme, ada)).entity.company).toEqual({
      id: company,
      name: 'Engine Ltd',
      domain: 'engine.co.uk',
    });
  });

  it.each(['nobody@engine.co.uk', '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17', 'nowhere.example', 'linkedin.com/in/nobody'])(
    'answers 404 to %s and makes nobody',
    async id => {
      const { status, body } = await tryAccount<ErrorBody>(acme, id);
      expect({ status, error: body.error }).toEqual({ status: 404, error: 'entity_not_found' });
      expect(body).not.toHaveProperty('candidates');
    },
  );

  it.each(['ada@', '@engine.co.uk', 'ada@localhost', 'a\u0001b', ' ', '10.0.0.1'])(
    'refuses %j with a reason',
    async id => {
      const { status, body } = await tryAccount<ErrorBody>(acme, id);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { error: 'invalid_focus', detail: expect.any(String) },
      });
    },
  );
});

describe('GET /v2/accounts/:id by a name that many bear', () => {
  const namesake = (focus: string, more: object[] = []) => record(acme, focus, [state('name', 'Sam Lee'), ...more]);
  const read = (query: Record<string, string> = {}) => tryAccount<AmbiguousName>(acme, 'sam LEE', query);

  beforeAll(async () => {
    await namesake('sam@north.com', [state('title', 'CFO'), event('email_sent', { observed_at: '2026-03-01' })]);
    await namesake('sam@south.com', [
      state('title', 'CTO'),
      state('company', 'South Inc'),
      event('email_replied', { observed_at: '2026-04-01' }),
    ]);
    await namesake('samlee.test@gmail.com');
    await namesake('samlee.org');
  });

  it('answers 200 with the candidates, the most recently active first', async () => {
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ambiguous', query: 'sam LEE', count: 4 });
    expect(body.candidates.slice(0, 2)).toMatchObject([
      {
        email: 'sam@south.com',
        title: 'CTO',
        company: 'South Inc',
        domain: 'south.com',
        last_activity_at: '2026-04-01T00:00:00.000000Z',
      },
      { email: 'sam@north.com', title: 'CFO', domain: 'north.com', type: 'person' },
    ]);
    const silent = body.candidates.slice(2).map(c => c.entity_id);
    expect(silent).toEqual(silent.toSorted());
  });

  it.each([
    ['type', { type: 'company' }, 'samlee.org'],
    ['company by domain', { company: 'north.com' }, 'sam@north.com'],
    ['company by name', { company: 'south INC' }, 'sam@south.com'],
    ['both', { type: 'person', company: 'south.com' }, 'sam@south.com'],
  ] as const)('is narrowed down by %s', async (_, hints, who) => {
    const narrowed = await account(acme, 'Sam Lee', hints);
    expect(narrowed.entity_id).toBe((await account(acme, who)).entity_id);
  });

  it('stays ambiguous among the candidates that a hint leaves, and is unknown when it leaves none', async () => {
    expect((await read({ type: 'person' })).body).toMatchObject({ status: 'ambiguous', count: 3 });
    expect((await read({ company: 'elsewhere.com' })).status).toBe(404);
  });

  it('shows ten candidates at most and counts all', async () => {
    for (let i = 0; i < 12; i++) await record(acme, `kim${i}@many.com`, [state('name', 'Kim Park')]);
    const { body } = await tryAccount<AmbiguousName>(acme, 'Kim Park');
    expect({ count: body.count, shown: body.candidates.length }).toEqual({ count: 12, shown: 10 });
  });

  it('no longer finds somebody by a name that has ended or changed', async () => {
    await record(acme, 'born@names.com', [state('name', 'Maiden Name', { observed_at: '2026-01-01' })]);
    await record(acme, 'born@names.com', [state('name', 'Married Name', { observed_at: '2026-02-01' })]);
    expect((await tryAccount(acme, 'Maiden Name')).status).toBe(404);
    expect((await account(acme, 'Married Name')).name).toBe('Married Name');
    await record(acme, 'born@names.com', [state('name', null, { observed_at: '2026-03-01' })]);
    expect((await tryAccount(acme, 'Married Name')).status).toBe(404);
  });

  it('returns names that are similar to one that nobody has as candidates, and never picks one', async () => {
    await record(acme, 'katherine@nasa.example.org', [state('first_name', 'Katherine'), state('last_name', 'Johnson')]);
    const { status, body } = await tryAccount<{ status: string; candidates: object[] }>(acme, 'Katharine Jonson');
    expect({ status, is: body.status }).toEqual({ status: 200, is: 'ambiguous' });
    expect(body.candidates).toMatchObject([
      { name: 'Katherine Johnson', type: 'person', entity_id: expect.any(String), matched_on: 'similar' },
    ]);
    const unknown = await tryAccount<ErrorBody>(acme, 'Zzyzx Qwpgh');
    expect(unknown).toMatchObject({ status: 404, body: { error: 'entity_not_found', query: 'Zzyzx Qwpgh' } });
  });
});

describe('the query of GET /v2/accounts/:id', () => {
  beforeAll(() => record(acme, 'query@engine.co.uk', [state('title', 'CEO')]));

  it.each([
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'ten'],
    ['limit', ''],
    ['as_of', 'soon'],
    ['as_of', '2026-13-01'],
    ['known_at', ''],
    ['history', 'maybe'],
    ['claims', 'tree'],
    ['type', 'robot'],
  ])('refuses %s=%s and names it', async (field, value) => {
    const { status, body } = await tryAccount<ErrorBody>(acme, 'query@engine.co.uk', { [field]: value });
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' });
    expect(new Set(body.details?.map(problem => problem.field))).toEqual(new Set([field]));
  });

  it.each([
    'limit=1&limit=2',
    'as_of=2026-01-01&as_of=2026-01-02',
    'company=a&company=b',
    'cursor=a&cursor=b',
    'limit[]=1',
  ])('refuses what is given twice: %s', async query =>
    expect((await acme.get(`/v2/accounts/query@engine.co.uk?${query}`)).status).toBe(400),
  );

  it('takes a limit above the maximum as the maximum', async () => {
    expect((await account(acme, 'query@engine.co.uk', { limit: '100000' })).limit).toBe(200);
  });

  it('names the parameters that there are when one is unknown', async () => {
    const { status, body } = await tryAccount<ErrorBody>(acme, 'query@engine.co.uk', { limt: '5' });
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'unknown_query_param' });
    expect(body.detail).toContain('"limt"');
    const supported = 'type company limit cursor history intent compress claims as_of known_at';
    expect(body.supported).toEqual(supported.split(' '));
  });
});
