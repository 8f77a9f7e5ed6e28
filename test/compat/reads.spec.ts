import { startTestHub, type TestHub } from '../support/hub.js';
import { type Recipe, recipesOf, rowsOf } from './http.client.js';
import { unread } from './reading.js';

const claim = {
  entity_id: 'string',
  property: 'string',
  value: 'string|number|object',
  confidence: 'number',
  freshness: 'string',
  epistemic_class: 'string',
  observation_count: 'number',
  last_observed_at: 'string',
} as const;

let hub: TestHub;
let recipe: Recipe;
beforeAll(async () => {
  hub = await startTestHub();
  recipe = recipesOf(hub, await hub.workspace());
  const tomorrow = new Date(Date.now() + 20 * 3_600_000).toISOString();
  await recipe.post('/v2/observations', {
    focus: 'ada@acme.com',
    observations: [
      { kind: 'state', property: 'name', value: 'Ada Lovelace' },
      { kind: 'state', property: 'job_title', value: 'VP Sales', source: 'user', method: 'manual' },
      { kind: 'state', property: 'intent', value: 'evaluating a change of supplier' },
      { kind: 'event', property: 'interaction.email_replied', value: { summary: 'Asked for the price' } },
      { kind: 'event', property: 'interaction.meeting_scheduled', value: { title: 'Demo', start: tomorrow } },
    ],
  });
  await recipe.post('/v2/observations', {
    focus: 'grace@initech.com',
    observations: [{ kind: 'event', property: 'interaction.email_replied', value: { summary: 'Not now' } }],
  });
});
afterAll(() => hub.end());

it('[July] context before outreach', async () => {
  const { status, body } = await recipe.post('/v2/context', { focus: 'ada@acme.com', intent: 'draft_email' });
  expect(status).toBe(200);
  const expected = {
    entity: { id: 'string', type: 'string' },
    intent: 'string',
    summary: 'string',
    claims: [claim],
    workspace: 'array',
    timeline: [{ when: 'string', type: 'string', tier: 'string' }],
    facts: 'array',
    documents: 'array',
    stakeholders: 'array',
    committee: 'object|null',
    predictions: 'array',
    meta: { token_estimate: 'number', claims_total: 'number', claims_returned: 'number', timeline_events: 'number' },
  } as const;
  expect(unread(body, expected)).toEqual([]);
  expect((await recipe.post('/v2/context', { focus: 'ada@acme.com', intent: 'x' })).body).toMatchObject({
    error: 'invalid_intent',
    valid_intents: expect.any(Array),
  });
  expect((await recipe.post('/v2/context', {})).body).toMatchObject({ error: 'focus_required' });
});

it('[July] the account: claims as a map, compressed for a task', async () => {
  const { body } = await recipe.get('/v2/accounts/ada@acme.com');
  const top = {
    entity_id: 'string',
    type: 'string',
    name: 'string',
    claims: { title: claim },
    documents: 'array',
  } as const;
  const seen = {
    id: 'string',
    entity_id: 'string',
    kind: 'string',
    property: 'string',
    source: 'string',
    method: 'string',
  } as const;
  expect(
    unread(body, { ...top, recent_observations: [{ ...seen, observed_at: 'string', recorded_at: 'string' }] }),
  ).toEqual([]);
  const short = await recipe.get('/v2/accounts/ada@acme.com?intent=draft_email&compress=1');
  const activity = { what: 'string', source: 'string', when: 'string', detail: 'string|null' } as const;
  const summary = { total_observations: 'number', by_type: {}, first_seen: 'string', last_seen: 'string' } as const;
  expect(
    unread(short.body, {
      ...top,
      key_activity: [{ ...activity, detail: 'string|null|undefined' }],
      activity_summary: summary,
    }),
  ).toEqual([]);
  expect(short.body).not.toHaveProperty('recent_observations');
  expect(await recipe.get('/v2/accounts/nobody@nowhere.com')).toMatchObject({
    status: 404,
    body: { error: 'entity_not_found' },
  });
});

it('[July] the score that a spreadsheet asks for, also of somebody unknown', async () => {
  await recipe.post('/v2/workspace/facts', { section: 'ICP', content: 'VP Sales of software companies' });
  const known = await recipe.post('/v2/score', { identifier: 'ada@acme.com' });
  expect(unread(known.body, { resolved: 'boolean', scored: 'boolean', entity_id: 'string' })).toEqual([]);
  const both = {
    icp: { score: 'number|null', tier: 'string|null' },
    intent: { score: 'number|null', band: 'string|null' },
  } as const;
  expect(unread(known.body, both)).toEqual([]);
  const unknown = await recipe.post('/v2/score', { identifier: 'nobody@nowhere.com' });
  expect([unknown.status, unknown.body]).toEqual([
    200,
    expect.objectContaining({ resolved: false, scored: false, reason: 'unknown_identifier' }),
  ]);
  const list = await recipe.post('/v2/score', { identifiers: ['ada@acme.com', 'nobody@nowhere.com'] });
  expect(unread(list.body, { results: [{ identifier: 'string', scored: 'boolean' }] })).toEqual([]);
  const cold = await recipe.post('/v2/score', { leads: [{ ref: 'row-1', attributes: { job_title: 'VP Sales' } }] });
  expect(rowsOf(cold, 'results')).toMatchObject([{ ref: 'row-1' }]);
  for (const [body, error] of [
    [{}, 'identifier_required'],
    [{ identifiers: [] }, 'identifiers_empty'],
    [{ leads: [] }, 'leads_empty'],
  ] as const)
    expect((await recipe.post('/v2/score', body)).body).toMatchObject({ error });
});

it('[July] what to do today', async () => {
  const { status, body } = await recipe.get('/v2/attention?limit=20');
  expect(status).toBe(200);
  const item = {
    kind: 'string',
    entity_id: 'string',
    entity_name: 'string|null',
    what: 'string',
    suggested_action: 'string',
    age_days: 'number',
  } as const;
  const meta = {
    going_dark: 'number',
    decayed_facts: 'number',
    upcoming_meetings: 'number',
    open_commitments: 'number',
  } as const;
  expect(unread(body, { items: [item], meta })).toEqual([]);
  expect(rowsOf({ status, body }, 'items').some(({ kind }) => kind === 'upcoming_meeting')).toBe(true);
});

it('[July] a fact is verified before it is used', async () => {
  const { body } = await recipe.post('/v2/verify', { focus: 'ada@acme.com', property: 'job_title' });
  expect(unread(body, { property: 'string', before: claim, after: claim, note: 'string' })).toEqual([]);
  expect(body).toMatchObject({ property: 'job_title', after: { value: 'VP Sales' } });
  const unknown = await recipe.post('/v2/verify', { focus: 'ada@acme.com', property: 'budget' });
  expect(unknown.body).toMatchObject({ before: null, after: { value: null, confidence: 0, freshness: 'unknown' } });
  expect((await recipe.post('/v2/verify', {})).body).toMatchObject({ error: 'focus_and_property_required' });
});

it('[July] a list is held against what is known before it is written to', async () => {
  const { body } = await recipe.post('/v2/dedup', { emails: ['ada@acme.com', 'new@else.com'], linkedin_urls: [] });
  const result = { kind: 'string', value: 'string', email: 'string|null', outcome: 'string' } as const;
  const summary = {
    net_new: 'number',
    engaged: 'number',
    bounced: 'number',
    unsubscribed: 'number',
    total: 'number',
  } as const;
  expect(unread(body, { results: [result], summary })).toEqual([]);
  expect(rowsOf({ status: 200, body }, 'results').map(({ outcome }) => outcome)).toEqual(['engaged', 'net_new']);
});

it('[July] notes are saved and searched', async () => {
  const saved = await recipe.post('/v2/notes', {
    focus: 'ada@acme.com',
    content: 'They fear the price of the renewal.',
    type: 'transcript',
  });
  expect(saved.status).toBe(201);
  expect(
    unread(saved.body, { note: { id: 'string', entity_id: 'string' }, entity_id: 'string', doc_type: 'string' }),
  ).toEqual([]);
  const found = await recipe.post('/v2/notes/search', { question: 'price', limit: 8 });
  const hit = {
    entity_id: 'string',
    type: 'string',
    title: 'string',
    date: 'string',
    similarity: 'number',
    snippet: 'string',
  } as const;
  expect(unread(found.body, { documents: [hit], count: 'number' })).toEqual([]);
  expect((await recipe.post('/v2/notes/search', {})).body).toMatchObject({ error: 'question required' });
  expect(
    unread((await recipe.get('/v2/notes?limit=5')).body, {
      notes: [{ id: 'string', type: 'string', title: 'string', date: 'string', snippet: 'string' }],
      has_more: 'boolean',
    }),
  ).toEqual([]);
});

it('[July] the workspace’s own facts are written under their display names and listed flat', async () => {
  const written = await recipe.post('/v2/workspace/facts', {
    section: 'GTM Motion',
    content: 'Product-led.',
    confidence: 0.9,
  });
  expect(written.status).toBe(201);
  const fact = {
    id: 'string',
    category: 'string',
    content: 'string',
    source: 'string',
    confidence: 'number',
    recorded_at: 'string',
  } as const;
  expect(unread(written.body, { fact, section: 'string', mode: 'string', superseded: 'boolean' })).toEqual([]);
  const { body } = await recipe.get('/v2/workspace/facts?categories=GTM%20Motion&limit=50');
  expect(unread(body, { facts: [fact], count: 'number', by_category: {} })).toEqual([]);
  expect((await recipe.post('/v2/workspace/facts', { section: 'ICP' })).body).toMatchObject({
    error: 'content required',
  });
});

it('[July] replies of the last month, and who did not book a meeting after one', async () => {
  const replies = { kind: 'event', property: 'interaction.email_replied', since_days: 30, limit: 20 };
  const { status, body } = await recipe.post('/v2/query', { scope: replies, question: 'what do they ask for?' });
  expect(status).toBe(200);
  const answer = {
    mode: 'string',
    return: 'string',
    matched: 'number',
    returned: 'number',
    sampled: 'boolean',
  } as const;
  const item = {
    observation_id: 'string',
    when: 'string',
    type: 'string',
    source: 'string',
    summary: 'string',
  } as const;
  const about = { entity_id: 'string', entity_name: 'string|null' } as const;
  const rollups = { by_type: {}, by_source: {} } as const;
  expect(
    unread(body, { scope: {}, ...answer, items: [{ ...item, ...about }], rollups, meta: { token_estimate: 'number' } }),
  ).toEqual([]);
  expect(body).toMatchObject({ question: 'what do they ask for?', matched: 2 });
  const without = { property: 'interaction.meeting_scheduled' };
  const people = await recipe.post('/v2/query', { scope: replies, without, return: 'entities' });
  const row = {
    matches: 'number',
    most_recent_at: 'string',
    most_recent_type: 'string',
    most_recent_source: 'string',
  } as const;
  expect(unread(people.body, { items: [{ ...about, ...row, most_recent_summary: 'string|null' }] })).toEqual([]);
  expect(people.body).toMatchObject({ return: 'entities', matched: 1 });
});
