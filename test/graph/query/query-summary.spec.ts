import type { QueryResponse } from '#graph/query/query.presenter.js';
import { event, record, state } from '../../support/graph/graph-calls.js';
import { type FakeWeb, startFakeWeb } from '../../fakes/fake-web.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { queryOf } from '../../support/graph/query.js';

interface Asked {
  readonly model: string;
  readonly temperature: number;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

let hub: TestHub;
let plain: TestHub;
let model: FakeWeb;
/** What the model answers next, given what it was asked. */
let reply: (requested: Asked) => string | number;
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

beforeAll(async () => {
  model = await startFakeWeb(({ body }, response) => {
    const content = reply(JSON.parse(body) as Asked);
    if (typeof content === 'number') return response.writeHead(content).end();
    return response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  });
  plain = await startTestHub();
  hub = await startTestHub({
    LLM_URL: `${model.url}/v1`,
    LLM_MODEL: 'small',
    LLM_API_KEY: 'sesame',
  });
});
afterAll(async () => {
  await hub?.end();
  await plain?.end();
  await model.close();
});

async function filled(on: TestHub): Promise<Client> {
  const client = await on.workspace();
  await record(client, 'ada@engine.com', [
    state('name', 'Ada', { observed_at: ago(50) }),
    state('stage', 'proposal', { observed_at: ago(15), source: 'crm:x' }),
    state('stage', 'negotiation', { observed_at: ago(2), source: 'crm:x' }),
    event('email_replied', { observed_at: ago(4), value: { summary: 'The price is too high for us' } }),
    event('email_replied', { observed_at: ago(3), value: { summary: 'Lunch on Friday?' } }),
    event('email_replied', { observed_at: ago(12), value: { summary: 'Hello' } }),
    event('email_sent', { observed_at: ago(11), value: { subject: 'Old' } }),
  ]);
  return client;
}

const scoped = { scope: { since_days: 10 }, question: 'price' };
const ids = ({ summary }: QueryResponse) => summary!.bullets.map(({ observation_ids }) => observation_ids);

describe('a summary without a model', () => {
  it('counts against the time before, gives values, evidence and changes, and cites all of it', async () => {
    const client = await filled(plain);
    const answer = await queryOf(client, { ...scoped, summarize: 'extractive' });
    const { summary } = answer;
    expect(summary).toMatchObject({ method: 'extractive' });
    expect(summary!.period_change).toEqual(
      [
        { property: 'interaction.email_replied', count: 2, entities: 1, previous_count: 1, change: 1 },
        { property: 'interaction.email_sent', count: 0, entities: 0, previous_count: 1, change: -1 },
        expect.objectContaining({ property: 'stage', count: 1, previous_count: 1, change: 0 }),
      ].filter(each => each !== undefined),
    );
    expect(summary!.text).toContain('email_replied: 2 of 1 entity, +1 against the time before');
    expect(summary!.text).toContain('stage: negotiation (1)');
    expect(summary!.text).toMatch(/Ada, email replied: The price is too high for us/);
    expect(summary!.text).toMatch(/stage of Ada: proposal to negotiation/);
    expect(summary!.text).not.toContain('Lunch');
    expect(ids(answer).every(cited => cited.length > 0)).toBe(true);
    expect((await queryOf(client, { ...scoped, summarize: 'extractive' })).summary).toEqual(summary);
  });

  it('tells a score by play and priority, in values, changes and facts', async () => {
    const client = await plain.workspace();
    const score = (play: string, priority: number | null) => ({ play, priority, play_rule: 'P1', layers: { fit: 80 } });
    await record(client, 'ada@engine.com', [
      state('name', 'Ada', { observed_at: ago(3) }),
      state('lead_score', score('research', null), { observed_at: ago(2) }),
      state('lead_score', score('work now', 72), { observed_at: ago(1) }),
    ]);
    const { summary, items } = await queryOf(client, {
      scope: { property: 'lead_score', facts: true },
      summarize: 'extractive',
    });
    expect(summary!.text).toContain('lead_score: research, not ranked yet (1), work now, 72 (1)');
    expect(summary!.text).toContain('lead_score of Ada: research, not ranked yet to work now, 72');
    expect(items).toMatchObject([{ content: 'lead_score of Ada: work now, 72' }]);
  });

  it('is absent unless requested, has no change without a time, and is empty without observations', async () => {
    const client = await filled(plain);
    expect((await queryOf(client, scoped)).summary).toBeUndefined();
    expect((await queryOf(client, { ...scoped, summarize: false })).summary).toBeUndefined();
    expect((await queryOf(client, { summarize: 'auto' })).summary).toMatchObject({
      method: 'extractive',
      period_change: null,
    });
    const nothing = await queryOf(client, { scope: { property: 'cat' }, summarize: 'extractive' });
    expect(nothing.summary).toMatchObject({ text: 'Nothing was found.', bullets: [] });
  });

  it('returns an error if a model is requested and none is configured', async () => {
    const { summary } = await queryOf(await filled(plain), { ...scoped, summarize: 'llm' });
    expect(summary).toMatchObject({ method: 'extractive', llm_error: 'No language model is configured.' });
  });
});

describe('a summary by a model', () => {
  const observationsIn = ({ messages }: Asked) =>
    (JSON.parse(messages[1]!.content) as { observations: { id: string }[] }).observations;

  it('keeps what cites what was given, and drops everything else', async () => {
    const client = await filled(hub);
    reply = request => {
      const [first] = observationsIn(request);
      return JSON.stringify({
        bullets: [
          { text: 'They find it expensive.', observation_ids: [first!.id] },
          { text: 'Nobody said this.', observation_ids: ['00000000-0000-0000-0000-000000000000'] },
          { text: 'Nor this.', observation_ids: [] },
          { text: 'Half of it.', observation_ids: [first!.id, 'made-up'] },
        ],
      });
    };
    for (const summarize of ['llm', 'auto']) {
      const { summary } = await queryOf(client, { ...scoped, summarize });
      expect(summary).toMatchObject({ method: 'llm', text: '- They find it expensive.', bullets: [{}] });
    }
    const [sent] = model.seen;
    expect(sent).toMatchObject({ url: '/v1/chat/completions', headers: { authorization: 'Bearer sesame' } });
    expect(JSON.parse(sent!.body)).toMatchObject({ model: 'small', temperature: 0 });
    expect(sent!.body).toContain('The price is too high for us');
  });

  it.each([
    ['an error', () => 500, 'The language model responded with status 500.'],
    ['no JSON', () => 'Sure! Here is', 'The language model returned invalid JSON.'],
    [
      'nothing cited',
      () => '{"bullets":[{"text":"x","observation_ids":[]}]}',
      'The language model cited nothing that it was given.',
    ],
    ['another shape', () => '[1]', 'The language model cited nothing that it was given.'],
  ])('falls back to rules for %s', async (_, answer, llm_error) => {
    reply = answer;
    const { summary } = await queryOf(await filled(hub), { ...scoped, summarize: 'auto' });
    expect(summary).toMatchObject({
      method: 'extractive',
      llm_error,
      text: expect.stringContaining('email_replied: 2'),
    });
  });
});
