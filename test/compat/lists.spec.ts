import { startTestHub, type TestHub } from '../support/hub.js';
import { inHeader, type Recipe, recipesOf, rowsOf } from './http.client.js';
import { unread } from './reading.js';

let hub: TestHub;
let recipe: Recipe;
beforeAll(async () => {
  hub = await startTestHub();
  recipe = recipesOf(hub, await hub.workspace());
});
afterAll(() => hub.end());

const leadRow = {
  id: 'string',
  lead_list_id: 'string',
  workspace_id: 'string',
  email: 'string|null',
  name: 'string|null',
  company: 'string|null',
  linkedin_url: 'string|null',
  sent_at: 'string|null',
  send_variant: 'string|null',
  is_repeat_contact: 'boolean',
  features: {},
  fields: {},
  scorecard_score: 'number|null',
  reply_outcome: 'string|null',
  replied_at: 'string|null',
  status: 'string',
  contact_id: 'string',
  created_at: 'string',
  updated_at: 'string',
  icp_score: 'number|null',
  intent_score: 'number|null',
  intent_band: 'string|null',
} as const;

const personRow = {
  id: 'string',
  entity_id: 'string',
  email: 'string|null',
  linkedin_url: 'string|null',
  first_name: 'string|null',
  last_name: 'string|null',
  job_title: 'string|null',
  company: 'string|null',
  company_id: 'string|null',
  domain: 'string|null',
  pipeline_stage: 'string|null',
  icp_score: 'number|null',
  icp_fit: 'boolean|null',
  first_seen_at: 'string',
  last_activity_at: 'string|null',
  enriched_at: 'string|null',
} as const;

it('[July] rows built elsewhere become a list, each with its score', async () => {
  const rows = [
    { email: 'ada@acme.com', name: 'Ada Lovelace', company: 'Acme', fields: { opener: 'Saw your talk' } },
    { linkedin_url: 'https://www.linkedin.com/in/grace', name: 'Grace Hopper' },
    { name: 'Nobody At All' },
  ];
  const attached = await recipe.post('/v2/lead-lists/attach', { name: 'Webinar', source: 'external', rows });
  expect(attached.status).toBe(201);
  expect(
    unread(attached.body, {
      lead_list_id: 'string',
      inserted: 'number',
      duplicate_skipped: 'number',
      skipped: 'number',
      scored: 'number',
      awaiting_enrichment: 'number',
      unresolved: 'number',
      results: [{ identifier: 'string|null' }],
    }),
  ).toEqual([]);
  expect(attached.body).toMatchObject({ inserted: 2, unresolved: 1 });
  expect(unread(rowsOf(attached, 'results').slice(0, 2), [{ resolved: 'boolean', scored: 'boolean' }])).toEqual([]);
  const lists = await recipe.get('/v2/lead-lists');
  const list = { id: 'string', name: 'string', source: 'string', columns: ['string'], lead_count: 'number' } as const;
  expect(unread(lists.body, { lead_lists: [{ ...list, created_at: 'string', updated_at: 'string' }] })).toEqual([]);
});

it('[July] the loop over leads: who was not written to, send, mark the row, record the message', async () => {
  const due = await recipe.get('/v2/leads?sent_before=2d&has_replied=false');
  expect(due.status).toBe(200);
  expect(unread(due.body, { leads: [leadRow], limit: 'number', offset: 'number' })).toEqual([]);
  const ada = rowsOf(due, 'leads').find(({ email }) => email === 'ada@acme.com')!;
  const sent = await recipe.patch(`/v2/leads/${String(ada['id'])}`, {
    status: 'sent',
    sent_at: new Date().toISOString(),
    send_variant: 'a',
    features: { opener: 'talk' },
  });
  expect(unread(sent.body, { lead: leadRow })).toEqual([]);
  expect(sent.body['lead']).toMatchObject({ id: ada['id'], status: 'sent', send_variant: 'a' });
  const message = {
    focus: ada['email'],
    observations: [{ kind: 'event', property: 'interaction.email_sent', source: 'n8n', external_id: '<m1@mail>' }],
  };
  const recorded = await recipe.post('/v2/observations', message);
  expect(recorded.status).toBe(200);
  expect(unread(recorded.body, { entity_id: 'string', recorded: 'number', claims_recomputed: 'array' })).toEqual([]);
  expect(recorded.body).toMatchObject({ entity_id: ada['contact_id'], recorded: 1 });
  expect((await recipe.post('/v2/observations', message)).body).toMatchObject({ recorded: 0 });
  const next = await recipe.get('/v2/leads?sent_before=2d&has_replied=false');
  expect(rowsOf(next, 'leads').map(({ id }) => id)).not.toContain(ada['id']);
});

it('[July] a list is made, leads are added one by one and many at once', async () => {
  const made = await recipe.post('/v2/lead-lists', { name: 'Autumn' });
  expect(made.status).toBe(201);
  const { id } = made.body['lead_list'] as { id: string };
  const one = await recipe.post('/v2/leads', { list_id: id, email: 'alan@acme.com', name: 'Alan Turing' });
  expect([one.status, one.body]).toEqual([201, expect.objectContaining({ inserted: 1, skipped: 0 })]);
  const many = await recipe.post('/v2/leads/bulk', {
    list_id: id,
    leads: [{ email: 'alan@acme.com' }, { email: 'k@j.com' }],
  });
  expect(unread(many.body, { inserted: 'number', skipped: 'number', duplicate_skipped: 'number' })).toEqual([]);
  expect(many.body).toMatchObject({ inserted: 1, duplicate_skipped: 1 });
  expect(rowsOf(await recipe.get(`/v2/leads?list_id=${id}`), 'leads')).toHaveLength(2);
  expect((await recipe.get('/v2/leads?list_id=7')).body).toMatchObject({ error: 'invalid_list_id' });
  expect((await recipe.get('/v2/leads?colour=red')).body).toMatchObject({
    error: 'unknown_query_param',
    detail: expect.any(String),
    supported: expect.any(Array),
  });
});

it('[July] people are created by a form, changed by a flat body and listed with the old names', async () => {
  const form = { email: 'eva@acme.com', first_name: 'Eva', last_name: 'Ek', job_title: 'CTO', company: 'Acme' };
  const created = await recipe.post('/v2/people', form);
  expect(created.status).toBe(201);
  expect(unread(created.body, { person: personRow })).toEqual([]);
  const changed = await recipe.patch('/v2/people/eva@acme.com', { pipeline_stage: 'interested', title: 'CIO' });
  expect(unread(changed.body, { person: personRow, claims_written: 'number' })).toEqual([]);
  expect(changed.body['person']).toMatchObject({ job_title: 'CIO', pipeline_stage: 'interested' });
  const people = await recipe.get('/v2/people?pipeline_stage=interested&sort=last_activity&limit=10&offset=0');
  expect(unread(people.body, { people: [personRow], limit: 'number', offset: 'number', has_more: 'boolean' })).toEqual(
    [],
  );
  expect(rowsOf(people, 'people')).toMatchObject([{ email: 'eva@acme.com', job_title: 'CIO' }]);
});

it('[July] a key may stand in X-API-Key', async () => {
  const keyed = recipesOf(hub, await hub.workspace(), inHeader);
  expect((await keyed.get('/v2/people')).status).toBe(200);
  expect((await recipesOf(hub, await hub.workspace(), () => ({})).get('/v2/people')).body).toEqual({
    error: 'unauthorized',
  });
});
