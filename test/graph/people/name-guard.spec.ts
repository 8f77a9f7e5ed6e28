import { account, event, record, state, tryAccount } from '../../support/graph/graph-calls.js';
import { linksOf } from '../../support/graph/merge-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

interface Written {
  readonly entity_id: string;
  readonly created: boolean;
  readonly matched_on?: string;
  readonly person: { readonly name: string | null; readonly email: string | null; readonly company_id: string | null };
  readonly merge?: { readonly status: string; readonly other_entity_id: string; readonly guards: string[] };
}

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub();
});
beforeEach(async () => {
  client = await hub.workspace();
});
afterAll(() => hub?.end());

const submit = (body: object) => client.post<Written>('/v2/people', body);

describe('a form with the identifier of somebody of another name', () => {
  it('never rewrites that person, and proposes to merge the two', async () => {
    const { entity_id: ada } = await record(client, 'ada@acme.com', [
      state('name', 'Ada Lovelace'),
      state('title', 'CTO'),
    ]);
    const { status, body } = await submit({ email: 'ada@acme.com', name: 'Bob Miller', title: 'Intern' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      created: true,
      person: { name: 'Bob Miller', email: 'ada@acme.com', company_id: expect.any(String) },
      merge: { status: 'proposed', other_entity_id: ada, guards: expect.arrayContaining(['different_name']) },
    });
    expect(body.entity_id).not.toBe(ada);
    const { claims, name } = await account(client, 'ada@acme.com');
    expect({ name, title: claims['title']!.value }).toEqual({ name: 'Ada Lovelace', title: 'CTO' });
    expect((await linksOf(client, ada)).proposals).toMatchObject([
      { kind: 'email', key: 'ada@acme.com', entity_id: body.entity_id, other_entity_id: ada },
    ]);
  });

  it('finds the second person again', async () => {
    await record(client, 'ada@acme.com', [state('name', 'Ada Lovelace')]);
    const { body: first } = await submit({ email: 'ada@acme.com', name: 'Bob Miller' });
    const { status, body } = await submit({ email: 'ada@acme.com', name: 'Robert Miller', title: 'CFO' });
    expect({ status, id: body.entity_id, on: body.matched_on }).toEqual({
      status: 200,
      id: first.entity_id,
      on: 'email',
    });
    expect((await account(client, body.entity_id)).claims['title']!.value).toBe('CFO');
  });

  it('is recorded for the owner of its own address where the profile is of another', async () => {
    const { entity_id: ada } = await record(client, 'linkedin.com/in/ada', [state('name', 'Ada Lovelace')]);
    const { status, body } = await submit({
      email: 'bob@acme.com',
      linkedin_url: 'https://linkedin.com/in/ada',
      name: 'Bob Miller',
    });
    expect({ status, merge: body.merge }).toMatchObject({
      status: 201,
      merge: { status: 'proposed', other_entity_id: ada, guards: ['different_name'] },
    });
    expect((await account(client, 'bob@acme.com')).entity_id).toBe(body.entity_id);
    expect((await account(client, 'linkedin.com/in/ada')).name).toBe('Ada Lovelace');
  });

  it('is that person where the name is a nickname, a typing error, a part or unknown', async () => {
    for (const [i, name] of ['Bob Lovelace', 'Bob King', 'Robrt', 'R. Lovelace', 'Lovelace, Robert'].entries()) {
      const email = `r${i}@acme.com`;
      const { entity_id: ada } = await record(client, email, [state('name', 'Robert Lovelace')]);
      const { status, body } = await submit({ email, name });
      expect({ name, status, id: body.entity_id, merge: body.merge }).toEqual({
        name,
        status: 200,
        id: ada,
        merge: undefined,
      });
    }
    const { entity_id: unnamed } = await record(client, 'x@acme.com', [event('email_sent')]);
    expect((await submit({ email: 'x@acme.com', name: 'Zoe Quinn' })).body.entity_id).toBe(unnamed);
  });

  it('may rename the person as a correction or an update', async () => {
    const { entity_id: ada } = await record(client, 'ada@acme.com', [state('name', 'Ada Lovelace')]);
    const updated = await client.patch<Written>('/v2/people', { email: 'ada@acme.com', name: 'Zoe Quinn' });
    expect(updated.body.entity_id).toBe(ada);
    expect((await submit({ email: 'ada@acme.com', name: 'Eve Moss', source: 'user' })).body.entity_id).toBe(ada);
  });

  it('keeps two people of one list apart who share an address', async () => {
    const rows = [
      { email: 'office@bakery.example', name: 'Mia Koch' },
      { email: 'office@bakery.example', name: 'Tom Brandt' },
    ];
    const attach = () =>
      client.post<{ results: { entity_id: string }[] }>('/v2/lead-lists/attach', { name: 'L', rows, score: false });
    const { status } = await attach();
    expect(status).toBe(201);
    await attach();
    const people = await client.get<{ people: { name: string }[] }>('/v2/people?sort=name');
    expect(people.body.people.map(({ name }) => name)).toEqual(['Mia Koch', 'Tom Brandt']);
    const { proposals } = await linksOf(client, 'office@bakery.example');
    expect(proposals).toMatchObject([{ kind: 'email', guards: expect.arrayContaining(['different_name']) }]);
  });
});

describe('an identifier that is stated for somebody of another name', () => {
  it('is not merged but proposed', async () => {
    const { entity_id: ada } = await record(client, 'ada@gmail.com', [state('name', 'Ada Lovelace')]);
    await record(client, 'linkedin.com/in/bob', [state('name', 'Bob Miller')]);
    const { merge } = await record(client, 'linkedin.com/in/bob', [state('email', 'ada@gmail.com')]);
    expect(merge).toMatchObject({
      status: 'proposed',
      other_entity_id: ada,
      guards: ['different_name', 'shared_address'],
    });
  });

  it('is merged where the names fit', async () => {
    await record(client, 'ada@gmail.com', [state('name', 'Ada Lovelace')]);
    const { merge } = await record(client, 'linkedin.com/in/al', [
      state('name', 'A. Lovelace'),
      state('email', 'ada@gmail.com'),
    ]);
    expect(merge).toMatchObject({ status: 'merged' });
  });
});

describe('the mailbox of a function', () => {
  it.each(['info', 'sales', 'vertrieb', 'contacto', 'comptabilite', 'ventes'])(
    '%s@ identifies the company',
    async local => {
      const { entity_id } = await record(client, `${local}@acme.com`, [event('email_sent')]);
      const { type, entity, claims } = await account(client, 'acme.com');
      expect({ type, id: entity.id, claims: Object.keys(claims) }).toEqual({
        type: 'company',
        id: entity_id,
        claims: [],
      });
      expect((await account(client, `${local}@acme.com`)).entity_id).toBe(entity_id);
    },
  );

  it('is the person’s whose name is stated with it, and a free mailbox is nobody’s company', async () => {
    await record(client, 'info@acme.com', [state('name', 'Ada Lovelace')]);
    expect((await account(client, 'info@acme.com')).type).toBe('person');
    await record(client, 'info@gmail.com', [event('email_sent')]);
    expect((await account(client, 'info@gmail.com')).type).toBe('person');
    expect((await tryAccount(client, 'gmail.com')).status).toBe(404);
  });

  it('does not take the name of a person for that of the company', async () => {
    const { entity_id: acme } = await record(client, 'info@acme.com', [event('email_sent')]);
    const { status, body } = await submit({ email: 'info@acme.com', name: 'Ada Lovelace' });
    expect(status).toBe(201);
    expect(body.entity_id).not.toBe(acme);
    expect(body.person).toMatchObject({ name: 'Ada Lovelace', company_id: acme });
    expect((await account(client, 'acme.com')).name).toBeNull();
    expect((await submit({ email: 'info@acme.com', name: 'Ada Lovelace' })).body.entity_id).toBe(body.entity_id);
  });
});
