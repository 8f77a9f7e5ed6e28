import fc from 'fast-check';
import type { JsonValue } from '#domain/observation/observation.js';
import { allocatePoints } from '#domain/score/layer.js';
import { DEFAULT_WEIGHTS, type IcpModel, LAYERS } from '#domain/score/model.js';
import { parsePattern } from '#domain/score/match-rule.js';
import { decidePlay, PLAYS } from '#domain/score/play.js';
import { parseModel } from '#domain/score/parse-model.js';
import { computePriority, scoreLead } from '#domain/score/score-lead.js';
import { toIso } from '#domain/time/instant.js';
import { serializeScore } from '#graph/score/score.serializer.js';
import { presentScore } from '#graph/score/score.presenter.js';
import { type EventVector, evidenceWith, type FactVector, NOW } from '../../support/graph/score-evidence.js';

const properties = ['title', 'industry', 'headcount', 'pain', 'headline', 'budget', 'technologies', 'intent'] as const;
const property = fc.constantFrom(...properties);
const word = fc.constantFrom('vp', 'saas', 'churn', 'evaluating', 'crm', '10', 'none');
const weight = fc.integer({ min: -20, max: 20 });
const id = fc.uuid();

const rule = fc.oneof(
  fc.record({ id, property, weight, op: fc.constantFrom('eq', 'matches'), value: word }),
  fc.record({
    id,
    property,
    weight,
    op: fc.constantFrom('in', 'contains_any'),
    value: fc.array(word, { minLength: 1 }),
  }),
  fc.record({ id, property, weight, op: fc.constantFrom('gte', 'lte'), value: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ id, property, weight, op: fc.constant('exists') }),
  fc.record({
    id,
    property,
    weight,
    op: fc.constant('eq'),
    value: word,
    and: fc.array(fc.record({ property, op: fc.constant('gte'), value: fc.integer({ min: 0, max: 100 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
  fc.record({
    id,
    property,
    weight,
    op: fc.constant('scorecard'),
    value: fc.record({
      bins: fc.array(fc.record({ op: fc.constant('eq'), value: word, share: fc.constantFrom(0, 0.3, 1) })),
      average: fc.constantFrom(0, 0.5, 1),
    }),
  }),
);
const painRule = fc.record({
  id,
  match: fc.oneof(fc.record({ property }), fc.record({ keyword: word }), fc.record({ technology: word })),
  p: fc.double({ min: 0, max: 0.99, noNaN: true }),
});
const model: fc.Arbitrary<IcpModel> = fc
  .record({
    fit: fc.uniqueArray(rule, { selector: ({ id }) => id, maxLength: 6 }),
    pain: fc.array(painRule, { maxLength: 4 }),
    ability: fc.option(fc.uniqueArray(rule, { selector: ({ id }) => id, maxLength: 4 }), { nil: undefined }),
  })
  .map(content => {
    const read = parseModel(JSON.parse(JSON.stringify(content)) as JsonValue, 1);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.model;
  });

const missingReason = fc.constantFrom(undefined, undefined, 'expired', 'low_confidence');
const fact: fc.Arbitrary<FactVector> = fc.tuple(
  property,
  fc.oneof(word, fc.integer({ min: 0, max: 100 })),
  fc.record({ missingReason, age: fc.integer({ min: 0, max: 900 }) }),
) as never;
const facts = fc.uniqueArray(fact, { selector: ([name]) => name, maxLength: properties.length });
const event: fc.Arbitrary<EventVector> = fc.tuple(
  fc.constantFrom('email_replied', 'meeting_held', 'meeting_cancelled', 'email_opened', 'call_held'),
  fc.integer({ min: 0, max: 900 }),
);
const events = fc.array(event, { maxLength: 8 });
const score = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
const layer = fc.record({ score, coverage: fc.double({ min: 0, max: 1, noNaN: true }) });
const layers = fc.record({ fit: layer, pain: layer, intent: layer, ability: layer });

describe('the laws of scoring', () => {
  it('a layer without evidence is unknown, never 0', () => {
    fc.assert(
      fc.property(model, model => {
        const { layers, priority, priority_confidence } = scoreLead(model, evidenceWith([]), NOW);
        for (const name of LAYERS) expect(layers[name]).toMatchObject({ status: 'unknown', score: null, reasons: [] });
        expect({ priority, priority_confidence }).toEqual({ priority: null, priority_confidence: 0 });
      }),
    );
  });

  it('the points of the reasons add up to the score, which lies between 0 and 100', () => {
    fc.assert(
      fc.property(model, facts, events, (model, facts, events) => {
        const read = scoreLead(model, evidenceWith(facts, events), NOW);
        for (const name of LAYERS) {
          const { status, score, coverage, reasons } = read.layers[name];
          expect(status === 'unknown').toBe(score === null);
          expect(reasons.reduce((sum, { points }) => sum + points, 0)).toBe(score ?? 0);
          expect(reasons.every(({ points }) => Number.isInteger(points))).toBe(true);
          expect(score === null || (score >= 0 && score <= 100)).toBe(true);
          expect(coverage >= 0 && coverage <= 1).toBe(true);
        }
      }),
    );
  });

  it('a further fact or event never makes a known layer unknown', () => {
    fc.assert(
      fc.property(model, facts, events, fact, event, (model, facts, events, fact, event) => {
        const before = scoreLead(model, evidenceWith(facts, events), NOW).layers;
        const more = facts.some(([name]) => name === fact[0]) ? facts : [...facts, fact];
        const after = scoreLead(model, evidenceWith(more, [...events, event]), NOW).layers;
        for (const name of LAYERS) if (before[name].score !== null) expect(after[name].score).not.toBeNull();
      }),
    );
  });

  it('does not depend on the order of facts and events', () => {
    fc.assert(
      fc.property(model, facts, events, (model, facts, events) => {
        const shown = (turned: boolean) => {
          const read = scoreLead(
            model,
            evidenceWith(turned ? facts.toReversed() : facts, turned ? events.toReversed() : events),
            NOW,
          );
          return LAYERS.map(name => read.layers[name].score).concat(read.priority);
        };
        expect(shown(true)).toEqual(shown(false));
      }),
    );
  });

  it('its JSON, put together by hand, is that of the whole answer', () => {
    const ref = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.integer()), { nil: undefined });
    fc.assert(
      fc.property(model, facts, events, ref, fc.boolean(), (model, facts, events, ref, explain) => {
        const inline = { inline: true, flags: facts.length > 5 ? (['own_domain', 'unsubscribed'] as const) : [] };
        for (const evidence of [evidenceWith(facts, events), evidenceWith(facts, [], inline)]) {
          const whose = { source: 'inline', ...(ref !== undefined && { ref }) } as const;
          const shown = presentScore(scoreLead(model, evidence, NOW, explain), whose, toIso(NOW), explain);
          expect(serializeScore(shown)).toBe(JSON.stringify(shown));
        }
      }),
    );
  });

  it('priority ignores layers that are unknown, and lies between the known ones', () => {
    fc.assert(
      fc.property(
        layers,
        fc.constantFrom(...LAYERS),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (layers, name, coverage) => {
          const { priority } = computePriority(DEFAULT_WEIGHTS, layers);
          const known = LAYERS.flatMap(each => layers[each].score ?? []);
          if (known.length === 0) expect(priority).toBeNull();
          else expect(priority! >= Math.min(...known) && priority! <= Math.max(...known)).toBe(true);
          if (layers[name].score !== null) return;
          const other = { ...layers, [name]: { score: null, coverage } };
          expect(computePriority(DEFAULT_WEIGHTS, other).priority).toBe(priority);
        },
      ),
    );
  });

  it('every standing has a play, one of the five', () => {
    const flags = [true, false];
    const scores = [null, 0, 24, 25, 29, 30, 49, 50, 59, 60, 100];
    const seen = new Set<string>();
    for (const flagged of flags)
      for (const precise of flags)
        for (const reachable of flags)
          for (const coverage of [0, 0.49, 0.5, 1])
            for (const fit of scores)
              for (const ability of [null, 0, 24, 25, 100])
                for (const intent of scores)
                  for (const pain of [null, 0, 59, 60, 100]) {
                    const at = (score: number | null) => ({ score, coverage });
                    const layers = { fit: at(fit), pain: at(pain), intent: at(intent), ability: at(ability) };
                    const { play, play_rule } = decidePlay({ layers, flagged, precise, reachable });
                    if (!PLAYS.includes(play)) throw new Error(play);
                    if (flagged && play !== 'suppress') throw new Error(`${play_rule} of a flagged lead`);
                    seen.add(play_rule);
                  }
    expect(seen.size).toBe(15);
  });

  it('missing tells what would be worth most first, and nothing that was looked at', () => {
    fc.assert(
      fc.property(model, facts, events, (model, facts, events) => {
        const { missing } = scoreLead(model, evidenceWith(facts, events), NOW);
        const gains = missing.map(({ gain }) => gain);
        expect(gains).toEqual(gains.toSorted((a, b) => b - a));
        const whole = LAYERS.map(name => 100 * model.weights[name]);
        LAYERS.forEach((name, i) => {
          const own = missing.filter(({ layer }) => layer === name).reduce((sum, { gain }) => sum + gain, 0);
          expect(own).toBeLessThanOrEqual(whole[i]! + 0.1);
        });
      }),
    );
  });
});

describe('allocating points', () => {
  it('adds up, and no part is off by more than one', () => {
    const parts = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(parts, parts => {
        const total = Math.round(parts.reduce((sum, part) => sum + part, 0)) + 0;
        const points = allocatePoints(parts, total);
        expect(points.reduce((sum, point) => sum + point, 0)).toBe(total);
        points.forEach((point, i) => expect(Math.abs(point - parts[i]!)).toBeLessThanOrEqual(1));
      }),
    );
  });
});

describe('reading a model', () => {
  it('is total: whatever is sent gives a model or problems, each at a field', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom('fit', 'pain', 'intent', 'weights'),
        (value, field) => {
          const read = parseModel({ [field]: value } as JsonValue, 1);
          if (!read.ok) for (const problem of read.problems) expect(problem.field).toContain(`content.${field}`);
        },
      ),
    );
  });

  it.each([
    ['an op that is none', { fit: [{ property: 'title', op: 'like', value: 'x' }] }, 'content.fit[0].op'],
    ['a rule without property', { fit: [{ op: 'exists' }] }, 'content.fit[0].property'],
    ['a number that is none', { fit: [{ property: 'headcount', op: 'gte', value: 'many' }] }, 'content.fit[0].value'],
    [
      'a pattern that could take for ever',
      { fit: [{ property: 'title', op: 'matches', value: '(a+)+$' }] },
      'content.fit[0].value',
    ],
    ['a field that is none', { fit: [{ property: 'title', op: 'exists', wieght: 1 }] }, 'content.fit[0].wieght'],
    [
      'twins',
      {
        fit: [
          { id: 'a', property: 'title' },
          { id: 'a', property: 'industry' },
        ],
      },
      'content.fit[1].id',
    ],
    ['a chance above 1', { pain: [{ match: { keyword: 'x' }, p: 2 }] }, 'content.pain[0].p'],
    ['a hint of nothing', { pain: [{ match: {}, p: 0.5 }] }, 'content.pain[0].match'],
    ['weights of nothing', { weights: { fit: 0 } }, 'content.weights'],
    ['a signal without weight', { intent: { events: { call_held: {} } } }, 'content.intent.events.call_held.weight'],
    ['a tier above the one before', { fit: [], tiers: { tier_1: 60 } }, 'content.tiers.tier_2'],
    ['a tier that is none', { fit: [], tiers: { tier_4: 10 } }, 'content.tiers.tier_4'],
    ['a band beyond 100', { fit: [], bands: { 'Red-hot': 101 } }, 'content.bands.Red-hot'],
    ['a domain that is none', { fit: [], suppress: { domains: ['Acme Inc'] } }, 'content.suppress.domains[0]'],
  ])('names %s', (_, content, field) => {
    const read = parseModel(content as JsonValue, 1);
    expect(read.ok ? [] : read.problems.map(problem => problem.field)).toEqual([field]);
  });

  it.each(['(a+)+', '(a|b)*c', 'a*b*c*', '(?=x)', '(a)\\1', 'a{1000}', '[', ''])('refuses the pattern %j', pattern => {
    expect(parsePattern(pattern).ok).toBe(false);
  });
});
