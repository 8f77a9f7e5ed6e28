import type { IcpModelResponse } from '#graph/icp/icp.service.js';
import { type ErrorBody, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.end());

const build = (client: Client, body: object) =>
  client.post<IcpModelResponse & ErrorBody>('/v2/workspace/scoring-model', body);

/** Records twelve won and twelve lost customers that differ in industry and size. */
async function recordCustomers(client: Client) {
  const recordAll = (name: string, industry: string, headcount: number) =>
    Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const address = `${name}${n}@${name}${n}.com`;
        await record(client, address, [state('industry', industry), state('headcount', headcount)]);
        return address;
      }),
    );
  return { examples: await recordAll('won', 'Software', 120), lost: await recordAll('lost', 'Retail', 8) };
}

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

  it('shows each rule with its words, warns of contradictions, and says what was not read', async () => {
    const client = await hub.workspace();
    const description = 'Software companies with a big heart. No SaaS. No agencies with under 20 people.';
    const { body } = await build(client, { description, rules: [{ property: 'title', op: 'exists' }], dry_run: true });
    expect(body.signals.map(({ origin, quote, weight }) => [origin, quote, weight])).toEqual([
      ['rules', null, 1],
      ['description', 'Software companies with a big heart.', 3],
      ['description', 'No SaaS.', null],
      ['description', 'No agencies with under 20 people.', null],
    ]);
    expect(body.signals.at(-1)!.label).toBe(
      'never: industry of the company has one of agencies and headcount of the company is at most 19',
    );
    expect(body.warnings.slice(0, 2)).toEqual([
      '"industry contains one of Software" is wanted, and "industry contains one of SaaS" excludes it.',
      'Nothing was read in: "big heart"',
    ]);
  });

  it('is read as it is in use, with what was written by hand', async () => {
    const client = await hub.workspace();
    const read = async () => (await client.get<IcpModelResponse>('/v2/workspace/scoring-model')).body;
    expect(await read()).toMatchObject({ icp_model: null, version: 0, updated_at: null, signals: [], warnings: [] });
    await build(client, { description: 'Software companies.' });
    expect(await read()).toMatchObject({
      icp_model: { id: 'icp', description: 'Software companies.' },
      version: 1,
      updated_at: expect.any(String),
      signals: [{ key: 'industry_1', origin: 'description', quote: 'Software companies.', weight: 3 }],
      coverage_on_current_leads: { leads: 0 },
    });
    const fit = [
      { property: 'headcount', op: 'gte', value: 100 },
      { property: 'headcount', op: 'lte', value: 50 },
    ];
    await client.post('/v2/workspace/facts', { section: 'icp', content: { fit } });
    const { version, signals, warnings } = await read();
    expect({ version, keys: signals.map(({ key }) => key), first: warnings[0] }).toEqual({
      version: 2,
      keys: ['headcount_0', 'headcount_1'],
      first: 'No lead can meet both "headcount is at least 100" and "headcount is at most 50".',
    });
    expect(signals[0]).toMatchObject({ origin: 'rules', quote: null, weight: 1 });
  });

  it('suppresses by a rule of two conditions only those that meet both', async () => {
    const client = await hub.workspace();
    await build(client, { description: 'Companies in Austria. No agencies with under 20 people.' });
    const play = async (attributes: object) =>
      (await client.post<{ play: string }>('/v2/score', { attributes: { country: 'Austria', ...attributes } })).body
        .play;
    expect(await play({ industry: 'Advertising agency', headcount: 8 })).toBe('suppress');
    expect(await play({ industry: 'Advertising agency', headcount: 80 })).not.toBe('suppress');
    expect(await play({ industry: 'Advertising agency' })).not.toBe('suppress');
  });

  it('learns from customers, says how well, and names those that are not known', async () => {
    const client = await hub.workspace();
    const { examples, lost } = await recordCustomers(client);
    const { status, body } = await build(client, { examples: [...examples, 'nobody@nowhere.com'], lost });
    expect(status).toBe(201);
    expect(body.learned).toEqual({ won: 12, lost: 12, held_out_auc: expect.any(Number) });
    expect(body.learned!.held_out_auc).toBeGreaterThan(0.9);
    expect(body.signals).toMatchObject([
      { origin: 'examples', label: expect.stringContaining('software (12 of 12 won customers, 0 of 12 lost ones)') },
      { origin: 'examples', label: expect.stringContaining('headcount of the company: up to 200 (') },
    ]);
    expect(body.warnings[0]).toContain('nobody@nowhere.com');
    const score = await client.post<{ layers: { fit: { score: number; reasons: { text: string }[] } } }>('/v2/score', {
      attributes: { industry: 'SaaS', headcount: 90 },
    });
    expect(score.body.layers.fit.score).toBe(100);
    expect(score.body.layers.fit.reasons[0]!.text).toContain('12 of 12 won customers, 0 of 12 lost ones');
  });

  it('refuses to learn from too few customers, and learns nothing from those that do not differ', async () => {
    const client = await hub.workspace();
    const { examples } = await recordCustomers(client);
    expect(await build(client, { examples, lost: examples.slice(0, 3), description: 'Software' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: [{ field: 'lost', message: expect.stringContaining('at least 10') }] },
    });
    const alike = await build(client, { examples, lost: examples, description: 'Logistics companies.' });
    expect(alike.body.warnings[0]).toContain('Nothing was learned from the 12 won and 12 lost customers');
    expect(alike.body.signals).toMatchObject([{ origin: 'description', quote: 'Logistics companies.' }]);
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
