import fc from 'fast-check';
import type { JsonValue } from '#domain/observation/observation.js';
import { ListScorer } from '#domain/score/list-scorer.js';
import type { IcpModel } from '#domain/score/model.js';
import { parseModel } from '#domain/score/parse-model.js';
import { ScoreListSerializer, scoreInline } from '#graph/score/score.serializer.js';
import { NOW } from '../../support/graph/score-evidence.js';

const word = fc.constantFrom(
  'vp',
  'vp sales',
  'c_level',
  'Head of  SALES',
  'student',
  'churn',
  'crm',
  'café',
  '10',
  'no',
);
const weight = fc.integer({ min: -5, max: 10 });
const property = fc.constantFrom('title', 'seniority', 'industry', 'headcount', 'technologies', 'headline', 'keywords');
const words = fc.array(word, { minLength: 1, maxLength: 3 });
const bounds = fc.oneof(
  fc.record({ op: fc.constantFrom('in', 'not_in', 'contains_any'), value: words }),
  fc.record({ op: fc.constantFrom('eq', 'matches'), value: word }),
  fc.record({ op: fc.constant('between'), value: fc.constant([10, 50]), slack: fc.constantFrom(0, 40) }),
  fc.record({ op: fc.constant('exists') }),
);
const share = fc.constantFrom(0, 0.25, 0.6, 1);
const bin = fc.record({ op: fc.constant('contains_any'), value: words, share });
const scorecard = fc.record({
  op: fc.constant('scorecard'),
  value: fc.record({ bins: fc.array(bin, { maxLength: 3 }), average: share }),
});
const conditionOf = (on: fc.Arbitrary<string>) =>
  fc.record({ property, on, bounds }).map(({ bounds, ...condition }) => ({ ...condition, ...bounds }));
const ruleOf = (on: fc.Arbitrary<string>) =>
  fc
    .record({
      property,
      on,
      weight,
      disqualify: fc.boolean(),
      and: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(conditionOf(on), { maxLength: 2 })),
      bounds: fc.oneof({ weight: 4, arbitrary: bounds }, scorecard),
    })
    .map(({ bounds, ...rule }) => ({ ...rule, ...bounds }));
const hint = fc.oneof(
  fc.record({ property: fc.constantFrom('pain', 'pain_points', 'industry') }),
  fc.record({ keyword: fc.array(word, { minLength: 1, maxLength: 2 }) }),
  fc.record({ technology: word }),
);
const on = fc.constantFrom('person', 'company');
const model: fc.Arbitrary<IcpModel> = fc
  .record({
    fit: fc.array(ruleOf(on), { maxLength: 5 }),
    ability: fc.array(ruleOf(on), { maxLength: 2 }),
    pain: fc.array(fc.record({ match: hint, p: fc.constantFrom(0, 0.4, 0.9) }), { maxLength: 3 }),
    suppress: fc.constant({ domains: ['rival.com'] }),
  })
  .map(content => {
    const read = parseModel(JSON.parse(JSON.stringify(content)) as JsonValue, 1);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.model;
  });

const value: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 100 }) },
  fc.array(fc.oneof(word, fc.integer({ min: 0, max: 60 })), { maxLength: 3 }),
  fc.constantFrom<JsonValue>(null, '', true, false, 'vp, churn', '20-30', { name: 'crm', parts: ['Churn'] }),
);
const received = ['title', 'job_title', 'seniority', 'industry', 'headcount', 'size', 'keywords', 'headline', 'pain'];
const reach = fc.record(
  {
    email: fc.constantFrom('ada@acme.com', 'ada@rival.com', 'me@ourselves.com', 'ada@gmail.com', 'nobody'),
    email_status: fc.constantFrom('valid', 'bounced', 'unsubscribed'),
    domain: fc.constantFrom('acme.com', 'https://rival.com'),
    phone: fc.constantFrom('+49 30 1234567', ''),
    do_not_contact: fc.boolean(),
  },
  { requiredKeys: [] },
);
const attributes = fc
  .tuple(fc.dictionary(fc.constantFrom(...received, 'technologies', 'company'), value, { maxKeys: 6 }), reach)
  .map(([message, reached]): Record<string, JsonValue> => ({ ...message, ...reached }));
const lead = fc.record({ ref: fc.constantFrom(null, 7, 'row "1"\u{1F600}'), attributes });

it('a list returns for each lead what the lead returns by itself', () => {
  fc.assert(
    fc.property(model, fc.array(lead, { minLength: 1, maxLength: 30 }), fc.boolean(), (model, leads, explain) => {
      const settings = { model, own: new Set(['ourselves.com']) };
      const scorer = new ListScorer(model);
      for (const list of [leads, leads.toReversed()]) {
        const text = new ScoreListSerializer(settings, scorer, NOW, explain, 1);
        for (const lead of list) text.add(lead);
        const results = list.map(lead => scoreInline(lead, settings, NOW, explain));
        expect(text.end().bytes.toString()).toBe(JSON.stringify({ results, persisted: false }));
      }
    }),
    { numRuns: 400 },
  );
});

it('more leads than the cache holds return the same', () => {
  const read = parseModel(
    { fit: [{ property: 'headcount', op: 'between', value: [1, 2], slack: 5000, weight: 1 }] },
    1,
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const settings = { model: read.model, own: new Set<string>() };
  const scorer = new ListScorer(read.model);
  const leads = Array.from({ length: 1500 }, (_, i) => ({ ref: i, attributes: { headcount: 2 + 3 * i } }));
  for (const list of [leads, leads.toReversed()]) {
    const text = new ScoreListSerializer(settings, scorer, NOW, false, list.length);
    for (const lead of list) text.add(lead);
    const results = list.map(lead => scoreInline(lead, settings, NOW, false));
    expect(text.end().bytes.toString()).toBe(JSON.stringify({ results, persisted: false }));
  }
});
