import type { IcpModelResponse } from '#graph/icp/icp.service.js';
import { inferRules } from '#domain/icp/infer-rules.js';
import { parseDescription } from '#domain/icp/parse-description.js';
import { type ErrorBody, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.end());

const build = (client: Client, body: object) =>
  client.post<IcpModelResponse & ErrorBody>('/v2/workspace/scoring-model', body);

describe('words about the ideal customer', () => {
  it.each([
    ['Companies with 50 to 500 employees', { property: 'headcount', op: 'between', value: [50, 500], slack: 225 }],
    ['At least 1,200 employees', { property: 'headcount', op: 'gte', value: 1200 }],
    ['more than 5k people', { property: 'headcount', op: 'gte', value: 5000 }],
    ['200+ employees', { property: 'headcount', op: 'gte', value: 200 }],
    ['under 80 staff', { property: 'headcount', op: 'lte', value: 80 }],
    ['companies in Austria', { property: 'country', op: 'in', value: ['Austria'] }],
    ['based in the DACH region', { property: 'country', value: ['Germany', 'Austria', 'Switzerland'] }],
    ['they use Salesforce and HubSpot', { property: 'technologies', value: ['Salesforce', 'HubSpot'] }],
    ['fintech', { property: 'industry', op: 'contains_any' }],
    ['No marketing agencies', { property: 'industry', disqualify: true }],
    ['We talk to heads of sales', { property: 'seniority', value: ['head'] }],
    ['nobody from the USA', { property: 'country' }],
  ])('%s', (text, rule) => {
    expect(parseDescription(text).fit).toEqual(expect.arrayContaining([expect.objectContaining(rule)]));
  });

  it('that say nothing known are given back, and what is excluded is not wanted', () => {
    expect(parseDescription('We like nice people.')).toEqual({ fit: [], pain: [], unread: ['We like nice people.'] });
    const { fit } = parseDescription('Software companies, but not in Germany');
    expect(fit).toMatchObject([{ property: 'industry' }, { property: 'country', disqualify: true }]);
    expect(fit[0]).not.toHaveProperty('disqualify');
    expect(parseDescription('They struggle with slow reporting.').pain).toMatchObject([
      { match: { keyword: ['slow reporting'] } },
    ]);
  });
});

it('customers that were won teach what those that were lost lack', () => {
  const of = (industry: string, headcount: number, title: string) =>
    new Map<string, string | number>([
      ['industry', industry],
      ['headcount', headcount],
      ['title', title],
    ]);
  const won = [of('Software', 60, 'VP Sales'), of('software', 200, 'Head of Sales'), of('Fintech', 400, 'VP Sales')];
  const lost = [of('Retail', 20, 'Manager'), of('Fintech', 90, 'Intern')];
  const rules = inferRules(won, lost);
  expect(rules).toMatchObject([
    { property: 'industry', op: 'in', value: ['software'] },
    { property: 'headcount', op: 'between', value: [60, 400] },
    { property: 'seniority', value: ['vp', 'head'] },
    { property: 'title', value: ['sales'] },
  ]);
  expect(inferRules([], lost)).toEqual([]);
});

describe('POST /v2/workspace/scoring-model', () => {
  it('builds a model from words, says how it does on the leads, and scores by it', async () => {
    const client = await hub.workspace();
    await record(client, 'ada@acme.com', [state('title', 'Head of Sales'), state('headcount', 120)]);
    await record(client, 'bob@tiny.io', [state('title', 'Intern'), state('headcount', 2)]);
    const description = 'Companies with 50 to 500 employees. We talk to heads of sales.';
    const tried = await build(client, { description, dry_run: true });
    expect(tried).toMatchObject({
      status: 200,
      body: { dry_run: true, coverage_on_current_leads: { leads: 2, scored: 2, tiers: { tier_1: 1, not_icp: 1 } } },
    });
    expect((await client.get('/v2/workspace/facts')).body).toMatchObject({ sections: {} });
    const made = await build(client, { description });
    expect(made).toMatchObject({ status: 201, body: { version: 1, signals: expect.any(Array), warnings: [] } });
    expect(made.body.signals.map(({ label }) => label)).toContain('headcount of the company is between 50, 500');
    const score = await client.post('/v2/score', { identifier: 'ada@acme.com' });
    expect(score.body).toMatchObject({ icp: { tier: 'tier_1' }, icp_model: 'icp@1' });
    expect(await build(client, { description })).toMatchObject({ status: 409, body: { error: 'model_exists' } });
    expect(await build(client, { force: true })).toMatchObject({ status: 201 });
  });

  it('learns from customers, and names those that are not known', async () => {
    const client = await hub.workspace();
    for (const [n, size] of [80, 120, 300].entries()) {
      await record(client, `won${n}@co${n}.com`, [state('industry', 'Software'), state('headcount', size)]);
    }
    const examples = ['won0@co0.com', 'won1@co1.com', 'won2@co2.com', 'nobody@nowhere.com'];
    const { status, body } = await build(client, { examples });
    expect(status).toBe(201);
    expect(body.icp_model['fit']).toMatchObject([
      { property: 'industry' },
      { property: 'headcount', value: [80, 300] },
    ]);
    expect(body.warnings[0]).toContain('nobody@nowhere.com');
  });

  it.each([
    [{}, 'no_gtm_context'],
    [{ description: 'We like nice people.' }, 'no_gtm_context'],
    [{ rules: [{ property: 'title', op: 'resembles', value: 1 }] }, 'invalid_request'],
    [{ examples: 'ada@acme.com' }, 'invalid_request'],
  ])('refuses %j', async (body, error) => {
    expect(await build(await hub.workspace(), body)).toMatchObject({ status: 400, body: { error } });
  });
});
