import { Client as HubspotClient } from '@hubspot/api-client';
import { Connection as SalesforceConnection } from '@jsforce/jsforce-node';
import { Configuration, OrganizationsApi, PersonFieldsApi, PersonsApi, StagesApi } from 'pipedrive/v2';
import { Configuration as ConfigurationV1, UsersApi } from 'pipedrive/v1';
import { FakeHubspot } from '../../fakes/hubspot/server.ts';
import { FakePipedrive } from '../../fakes/pipedrive/server.ts';
import { FakeSalesforce } from '../../fakes/salesforce/server.ts';

const MARCH = '2026-03-01T09:00:00.000Z';

describe('the official client of HubSpot', () => {
  let fake: FakeHubspot;
  let client: HubspotClient;

  beforeAll(async () => {
    fake = await FakeHubspot.start();
    client = new HubspotClient({ accessToken: fake.token, basePath: fake.url });
    fake.putContact('501', { email: 'ada@acme.example', name: 'Ada Byron', title: 'CFO' }, MARCH);
    fake.putContact('502', { email: 'bob@acme.example', name: 'Bob' }, MARCH);
    fake.putDeal('31', { stage: 'open', companyId: '77', contactId: '501' }, MARCH);
  });
  afterAll(() => fake?.close());

  it('lists and searches the contacts of the fake', async () => {
    const { contacts } = client.crm;
    const first = await contacts.basicApi.getPage(1, undefined, ['email', 'jobtitle']);
    expect(first.results[0]).toMatchObject({ id: '501', properties: { email: 'ada@acme.example', jobtitle: 'CFO' } });
    expect(first.results[0]!.updatedAt).toEqual(new Date(MARCH));
    const second = await contacts.basicApi.getPage(1, first.paging!.next!.after, ['email']);
    expect(second.results.map(({ id }) => id)).toEqual(['502']);
    const found = await contacts.searchApi.doSearch({
      filterGroups: [
        { filters: [{ propertyName: 'lastmodifieddate', operator: 'GTE' as never, value: String(Date.parse(MARCH)) }] },
      ],
      sorts: [{ propertyName: 'lastmodifieddate', direction: 'ASCENDING' }] as never,
      properties: ['email'],
      limit: 10,
    });
    expect(found.results.map(({ id }) => id)).toEqual(['501', '502']);
  });

  it('reads, updates and upserts batches of the fake', async () => {
    const { batchApi } = client.crm.contacts;
    const read = await batchApi.read({
      idProperty: 'email',
      inputs: [{ id: 'bob@acme.example' }],
      properties: ['email'],
      propertiesWithHistory: [],
    });
    expect(read.results).toMatchObject([{ id: '502' }]);
    const updated = await batchApi.update({ inputs: [{ id: '501', properties: { jobtitle: 'COO' } }] });
    expect(updated.results).toMatchObject([{ id: '501', properties: { jobtitle: 'COO' } }]);
    const upserted = await batchApi.upsert({
      inputs: [{ idProperty: 'email', id: 'eve@acme.example', properties: { email: 'eve@acme.example' } }],
    });
    expect(upserted.results).toMatchObject([{ _new: true, properties: { email: 'eve@acme.example' } }]);
  });

  it('reads properties, pipelines, owners and associations of the fake', async () => {
    const { crm } = client;
    const properties = await crm.properties.coreApi.getAll('contacts');
    expect(properties.results.map(({ name }) => name)).toContain('jobtitle');
    const pipelines = await crm.pipelines.pipelinesApi.getAll('deals');
    expect(pipelines.results[0]!.stages.map(({ id }) => id)).toEqual(['demo', 'won', 'lost']);
    expect((await crm.owners.ownersApi.getPage()).results).toMatchObject([{ id: '9', firstName: 'Olga' }]);
    const links = await crm.associations.v4.batchApi.getPage('deals', 'contacts', { inputs: [{ id: '31' }] });
    expect(links.results).toMatchObject([{ _from: { id: '31' } }]);
  });
});

describe('the official client of Pipedrive', () => {
  let fake: FakePipedrive;
  let configuration: Configuration;

  beforeAll(async () => {
    fake = await FakePipedrive.start();
    configuration = new Configuration({ apiKey: fake.token, basePath: `${fake.url}/api/v2` });
    fake.putContact('501', { email: 'ada@acme.example', name: 'Ada Byron', title: 'CFO' }, MARCH);
    fake.putContact('502', { email: 'bob@acme.example', name: 'Bob' }, MARCH);
    fake.putCompany('77', { name: 'Acme', headcount: 120 }, MARCH);
  });
  afterAll(() => fake?.close());

  it('lists people of the fake in pages, by their IDs, and by their last change', async () => {
    const people = new PersonsApi(configuration);
    const first = await people.getPersons({ limit: 1, sort_by: 'id', sort_direction: 'asc' });
    expect(first).toMatchObject({ success: true, data: [{ id: 501, job_title: 'CFO' }] });
    const cursor = first.additional_data!.next_cursor!;
    expect(await people.getPersons({ limit: 1, cursor })).toMatchObject({ data: [{ id: 502 }] });
    expect((await people.getPersons({ ids: '502,999' })).data).toMatchObject([{ id: 502 }]);
    const since = '2026-03-02T00:00:00Z';
    expect((await people.getPersons({ updated_since: since, sort_by: 'update_time' })).data).toEqual([]);
  });

  it('finds, creates and updates people of the fake', async () => {
    const people = new PersonsApi(configuration);
    const found = await people.searchPersons({ term: 'bob@acme.example', fields: 'email', exact_match: true });
    expect(found.data!.items).toMatchObject([{ item: { id: 502, emails: ['bob@acme.example'] } }]);
    const created = await people.addPerson({
      AddPersonRequest: { name: 'Eve', emails: [{ value: 'eve@acme.example', primary: true }] },
    });
    const { id } = (created as { data: { id: number } }).data;
    const updated = await people.updatePerson({ id, UpdatePersonRequest: { job_title: 'CIO' } });
    expect(updated).toMatchObject({ success: true, data: { id, job_title: 'CIO', name: 'Eve' } });
    const wrong = people.updatePerson({ id, UpdatePersonRequest: { owner_id: 'Olga' as never } });
    await expect(wrong).rejects.toMatchObject({ success: false, error: expect.stringContaining('owner_id') });
  });

  it('reads organizations, fields, stages and users of the fake', async () => {
    const organizations = new OrganizationsApi(configuration);
    expect((await organizations.getOrganizations()).data).toMatchObject([{ id: 77, employee_count: 120 }]);
    const fields = await new PersonFieldsApi(configuration).getPersonFields();
    expect((fields as { data: { field_code: string }[] }).data.map(each => each.field_code)).toContain('job_title');
    expect((await new StagesApi(configuration).getStages()).data).toMatchObject([{ id: 3 }, { id: 4 }]);
    const v1 = new ConfigurationV1({ apiKey: fake.token, basePath: `${fake.url}/api/v1` });
    expect((await new UsersApi(v1).getUsers()).data).toMatchObject([{ id: 9, name: 'Olga Owner' }]);
  });
});

describe('the client of Salesforce that its own command line uses', () => {
  let fake: FakeSalesforce;
  let connection: SalesforceConnection;

  beforeAll(async () => {
    fake = await FakeSalesforce.start();
    connection = new SalesforceConnection({ instanceUrl: fake.url, accessToken: fake.token, version: '64.0' });
    fake.putContact('501', { email: 'ada@acme.example', name: 'Ada Byron', title: 'CFO' }, MARCH);
    fake.putContact('502', { email: 'bob@acme.example', name: 'Bob Babbage' }, MARCH);
    fake.putCompany('77', { name: 'Acme', headcount: 120 }, MARCH);
  });
  afterAll(() => fake?.close());

  it('queries contacts of the fake, by its own conditions, and the recycle bin', async () => {
    const found = await connection
      .sobject('Contact')
      .find({ Email: { $in: ['BOB@acme.example', 'eve@acme.example'] }, IsDeleted: false }, ['Id', 'Name']);
    expect(found).toMatchObject([{ Id: '502', Name: 'Bob Babbage' }]);
    const { done, records } = await connection.query("SELECT Id, Title FROM Contact WHERE Title = 'CFO' LIMIT 5");
    expect({ done, records }).toMatchObject({ done: true, records: [{ Id: '501', Title: 'CFO' }] });
    fake.deleteContact('502');
    const bin = await connection.query('SELECT Id FROM Contact WHERE IsDeleted = TRUE', { scanAll: true });
    expect(bin.records).toMatchObject([{ Id: '502' }]);
    fake.restoreContact('502');
    await expect(connection.query('SELECT Nothing FROM Contact')).rejects.toMatchObject({ errorCode: 'INVALID_FIELD' });
  });

  it('writes collections of the fake, and reads why a record was refused', async () => {
    const contacts = connection.sobject('Contact');
    const created = await contacts.create([
      { LastName: 'Moneypenny', Email: 'eve@acme.example' },
      { FirstName: 'Nobody' },
    ]);
    expect(created).toMatchObject([
      { success: true, id: expect.any(String) },
      { success: false, errors: [{ statusCode: 'REQUIRED_FIELD_MISSING' }] },
    ]);
    const { id } = created[0] as { id: string };
    expect(await contacts.update([{ Id: id, Title: 'CIO' }])).toMatchObject([{ success: true, id }]);
    expect(fake.contactOf(id)).toMatchObject({ title: 'CIO' });
  });

  it('reads fields, stages and users of the fake', async () => {
    const { fields } = await connection.sobject('Account').describe();
    expect(fields.find(({ name }) => name === 'NumberOfEmployees')).toMatchObject({ type: 'int', updateable: true });
    const stages = await connection.query('SELECT MasterLabel, IsWon FROM OpportunityStage ORDER BY MasterLabel');
    expect(stages.records.map(({ MasterLabel }) => MasterLabel)).toEqual(['Closed Lost', 'Closed Won', 'Demo booked']);
    expect((await connection.query('SELECT Id, Name FROM User')).records).toMatchObject([{ Name: 'Olga Owner' }]);
  });
});
