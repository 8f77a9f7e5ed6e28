import type { RecordTextResponse } from '#graph/open-text/open-text.presenter.js';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import { type FakeLlm, startFakeLlm } from '../../fakes/fake-llm.js';
import { account, type ErrorBody, record, state, wholeTimeline } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { expectClaimsConsistent } from '../../support/graph/expect-claims-consistent.js';
import { listenTo } from '../../support/database/statements.js';

const TEXT = 'Ada is now VP of Sales at Acme. Maybe they sign in May. Their budget is $50k.';

let hub: TestHub;
let llm: FakeLlm;
let acme: Client;

beforeAll(async () => {
  llm = await startFakeLlm();
  hub = await startTestHub({ LLM_URL: `${llm.url}/v1`, LLM_MODEL: 'small', REQUEST_TIMEOUT_MS: '2600' });
});
beforeEach(async () => {
  llm.answer = () => ({ facts: [] });
  acme = await hub.workspace();
});
afterAll(async () => {
  await hub?.end();
  await llm?.close();
});

const tell = (body: object, headers = {}, client = acme) =>
  client.post<RecordTextResponse & ErrorBody>(
    '/v2/observations/from-text',
    { focus: 'ada@acme.com', ...body },
    headers,
  );
const read = ({ observations }: RecordTextResponse) =>
  observations.map(({ property, value, method }) => [property, value, method]);

it('keeps the text, records what it says, and hands back what is doubtful', async () => {
  const { status, body } = await tell({ text: TEXT });
  expect(status).toBe(200);
  expect(body.llm_detail).toBeUndefined();
  expect(body).toMatchObject({ recorded: 4, entity_created: true, llm: 'used', rejected: [] });
  expect(body.claims_recomputed).toEqual(['budget', 'company', 'title']);
  expect(read(body)).toEqual([
    ['title', 'VP of Sales', 'rules:role'],
    ['company', 'Acme', 'rules:role'],
    ['budget', { amount: 50_000, currency: 'USD' }, 'rules:budget'],
  ]);
  expect(body.observations[0]).toMatchObject({ quote: 'Ada is now VP of Sales at Acme', reliability: 0.55 });
  expect(body.observations.map(o => o.observation_id)).toEqual(body.observation_ids.slice(1));
  expect(body.needs_review).toMatchObject([{ property: 'timeline', why: 'hedged', quote: 'sign in May' }]);
  const { claims } = await account(acme, 'ada@acme.com');
  expect(claims['title']).toMatchObject({ value: 'VP of Sales', epistemic_class: 'inferred' });
  const note = (await wholeTimeline(acme, 'ada@acme.com')).find(row => row.property === 'interaction.note');
  expect(note).toMatchObject({ kind: 'event', value: { text: TEXT } });
  await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
});

it('takes the caller’s observations along, and wants its quotes to be in the text', async () => {
  const { body } = await tell({
    text: TEXT,
    observations: [
      state('title', 'vp of sales', { evidence: 'ada is now  VP of SALES' }),
      state('location', 'Oslo', { evidence: 'She lives in Oslo' }),
      state('seniority', 'VP'),
    ],
  });
  expect(read(body).slice(0, 2)).toEqual([
    ['title', 'vp of sales', 'api'],
    ['seniority', 'VP', 'api'],
  ]);
  expect(body.observations[0]).toMatchObject({ methods: ['api', 'rules:role'], reliability: 0.75 });
  expect(body.needs_review).toContainEqual(expect.objectContaining({ property: 'location', why: 'quote_not_found' }));
  expect((await account(acme, 'ada@acme.com')).claims).not.toHaveProperty('location');
});

it('the same text is recorded once under its external ID, and once under an Idempotency-Key', async () => {
  const first = await tell({ text: TEXT, external_id: 'mail-1', source: 'email' });
  const again = await tell({ text: TEXT, external_id: 'mail-1', source: 'email' });
  expect(first.body).toMatchObject({ recorded: 4, duplicates: 0 });
  expect(again.body).toMatchObject({ recorded: 0, duplicates: 4, conflicts: [], claims_recomputed: [] });
  expect(again.body.observations.map(o => o.observation_id)).toEqual([null, null, null]);
  const more = await tell({
    text: TEXT,
    external_id: 'mail-1',
    source: 'email',
    observations: [state('location', 'Oslo')],
  });
  expect(more.body).toMatchObject({ recorded: 1, duplicates: 4 });
  expect(more.body.observations.map(o => o.observation_id)).toEqual([more.body.observation_ids[0], null, null, null]);

  const key = { 'idempotency-key': 'one' };
  const one = await tell({ text: 'Hello there.' }, key);
  const requests = llm.asked().length;
  const two = await tell({ text: 'Hello there.' }, key);
  expect(two.headers.get('idempotent-replayed')).toBe('true');
  expect(two.body).toEqual(one.body);
  expect(llm.asked()).toHaveLength(requests);
  expect((await tell({ text: 'Something else.' }, key)).status).toBe(409);
});

it('a dry run tells the same and writes nothing', async () => {
  const { body } = await tell({ text: TEXT, dry_run: true });
  expect(body).toMatchObject({
    entity_id: null,
    recorded: 4,
    observation_ids: [],
    dry_run: true,
    entity_created: true,
  });
  expect(body.claims_recomputed).toEqual(['budget', 'company', 'title']);
  expect((await acme.get('/v2/accounts/ada@acme.com')).status).toBe(404);
});

it('reads with what the workspace and the graph know', async () => {
  await acme.post('/v2/workspace/facts', { section: 'competitors', content: '- Gongo\n- Chorusy' });
  await record(acme, 'ada@acme.com', [state('name', 'Ada Lovelace')]);
  const text = 'They are using Gongo. Bob Miller is now CFO at Acme. Lovelace was promoted to CRO.';
  const { body } = await tell({ text });
  expect(read(body)).toEqual([
    ['competitors', 'Gongo', 'rules:names'],
    ['title', 'CRO', 'rules:role'],
  ]);
  expect(body.needs_review.map(({ why }) => why)).toEqual(['somebody_else', 'somebody_else']);
  const company = await tell({ focus: 'acme.com', text: 'Ada is now CFO at Acme. They signed the contract.' });
  expect(read(company.body)).toEqual([['stage', 'closed_won', 'rules:stage']]);
});

it('an opt-out applies at once', async () => {
  const { body } = await tell({ text: 'Please remove me from your list.', source: 'email:gmail' });
  expect(body.claims_recomputed).toEqual(['do_not_contact', 'email_status']);
  expect((await account(acme, 'ada@acme.com')).claims['do_not_contact']).toMatchObject({ value: true });
});

describe('the language model', () => {
  it('adds what it can quote, and agrees with the rules', async () => {
    llm.answer = ({ user }) => {
      expect(user).toContain('VP of Sales at Acme');
      return {
        facts: [
          { property: 'title', value: 'VP of Sales', quote: 'VP of Sales' },
          { property: 'seniority', value: 'VP', quote: 'now VP' },
          { property: 'location', value: 'Oslo', quote: 'in Oslo' },
          { property: 'stage', value: 'negotiation', quote: 'Maybe they sign' },
        ],
      };
    };
    const { body } = await tell({ text: TEXT });
    expect(read(body)).toContainEqual(['seniority', 'VP', 'llm:small']);
    expect(body.observations[0]).toMatchObject({ property: 'title', methods: ['rules:role', 'llm:small'] });
    expect(body.rejected).toEqual([{ span: 'in Oslo', why: 'The quote does not occur in the text.' }]);
    expect(body.needs_review).toContainEqual(expect.objectContaining({ property: 'stage', why: 'hedged' }));
  });

  it.each([
    { how: 'down', answer: 'down' as const },
    { how: 'silent', answer: 'silent' as const },
    { how: 'not speaking JSON', answer: (): unknown => 'no json' },
    { how: 'speaking of something else', answer: (): unknown => ({ else: 1 }) },
  ])('is no loss when it is $how', async ({ answer }) => {
    llm.answer = answer;
    const { status, body } = await tell({ text: TEXT, observations: [state('seniority', 'VP')] });
    expect({ status, llm: body.llm }).toEqual({ status: 200, llm: 'failed' });
    expect(body.llm_detail).toContain('language model');
    expect(body.recorded).toBe(5);
  });

  it('is called while no transaction is open', async () => {
    const log = listenTo(hub.database.pool);
    let last: string | undefined;
    llm.answer = () => {
      last = log.of('rapport_app').at(-1)?.at(-1)?.sql;
      return { facts: [] };
    };
    await tell({ text: TEXT });
    expect(last).toContain('COMMIT');
  });
});

it('costs the same number of statements however much is read', async () => {
  await record(acme, 'ada@acme.com', [state('name', 'Ada Lovelace'), state('title', 'x'), state('company', 'y')]);
  const log = listenTo(hub.database.pool);
  const counted = async (text: string) => {
    log.clear();
    await tell({ text });
    return log.of('rapport_app').map(sent => sent.length);
  };
  const little = await counted('Hello there.');
  const much = await counted(`${TEXT} They sent us the contract. They are in negotiations. She is very interested.`);
  expect(little).toHaveLength(2);
  expect(much).toEqual([little[0], expect.any(Number)]);
  expect(much[1]! - little[1]!).toBeLessThanOrEqual(1);
});

it('is about the one person that the text names, without a focus', async () => {
  await acme.post('/v2/workspace/facts', { section: 'profile', content: { domains: ['seller.com'] } });
  const focus = undefined;
  const mail = 'From: Ada <ada@acme.com>, to: Bob <bob@seller.com>, cc: info@acme.com. Ada is now CRO.';
  const { status, body } = await tell({ focus, text: mail });
  expect([status, body]).toMatchObject([200, { entity_created: true, claims_recomputed: ['title'] }]);
  expect(body.needs_review.map(({ value }) => value)).not.toContain('ada@acme.com');
  expect((await account(acme, 'ada@acme.com')).entity_id).toBe(body.entity_id);
  const agent = await AGENTS[0]![1](new URL('/mcp', hub.url), acme.key);
  const profile = { text: 'See https://www.linkedin.com/in/grace-hopper for Grace.', dry_run: true };
  expect((await agent.call('record', profile)).structuredContent).toMatchObject({ entity_created: true, recorded: 1 });
  await agent.close();
});

it.each([
  ['Ada is now CRO at acme.com.', 'names nobody'],
  ['Write to info@acme.com or no-reply@acme.com.', 'names nobody'],
  ['ada@acme.com and grace@acme.com talked.', 'names 2 people'],
])('asks for a focus where it is not clear whom "%s" is about', async (text, sentence) => {
  const refused = await tell({ focus: undefined, text });
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_focus' } });
  expect(refused.body.detail).toContain(sentence);
  expect((await acme.get('/v2/people')).body).toMatchObject({ people: [] });
});

it('names what it cannot accept', async () => {
  const problem = async (body: object) => (await tell(body)).body;
  expect(await problem({})).toMatchObject({ error: 'focus_and_observations_required' });
  expect(await problem({ focus: undefined, observations: [state('title', 'CRO')] })).toMatchObject({
    error: 'focus_and_observations_required',
  });
  expect(await problem({ focus: null, text: 'x' })).toMatchObject({ error: 'focus_and_observations_required' });
  expect(await problem({ focus: 'Ada Lovelace', text: 'x' })).toMatchObject({ error: 'invalid_focus' });
  expect(await problem({ text: '' })).toMatchObject({ details: [{ field: 'text' }] });
  expect(await problem({ text: 'ü'.repeat(40_000) })).toMatchObject({ details: [{ field: 'text' }] });
  expect(await problem({ text: 'x\u0000' })).toMatchObject({ details: [{ field: 'text' }] });
  expect(await problem({ text: 'x', mood: 1 })).toMatchObject({ details: [{ field: 'mood' }] });
  expect(await problem({ text: 'x', observed_at: 'soon' })).toMatchObject({ details: [{ field: 'observed_at' }] });
  expect(await problem({ text: 'x', dry_run: 'yes' })).toMatchObject({ details: [{ field: 'dry_run' }] });
  expect(await problem({ observations: [state('title', 'x', { evidence: 'x' })] })).toMatchObject({
    details: [{ index: 0, field: 'evidence' }],
  });
  expect((await tell({ focus: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17', text: 'x' })).status).toBe(404);
});

it('the tool record does the same, and answers plain observations as ever', async () => {
  const agent = await AGENTS[0]![1](new URL('/mcp', hub.url), acme.key);
  const focus = 'ada@acme.com';
  const plain = await agent.call('record', { focus, observations: [state('title', 'CEO')] });
  expect(Object.keys(plain.structuredContent!).toSorted()).toEqual([
    'claims_recomputed',
    'conflicts',
    'duplicates',
    'entity_created',
    'entity_id',
    'observation_ids',
    'recorded',
  ]);
  const received = await agent.call('record', { focus, text: TEXT, source: 'email', dry_run: false });
  expect(received.structuredContent).toMatchObject({
    recorded: 4,
    llm: 'used',
    observations: [{ property: 'title' }, {}, {}],
  });
  const dry = await agent.call('record', { focus: 'new@acme.com', text: TEXT, dry_run: true });
  expect(dry.structuredContent).toMatchObject({ entity_id: null, dry_run: true });
  await agent.close();
});
