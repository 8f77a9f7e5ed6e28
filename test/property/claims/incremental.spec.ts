import fc from 'fast-check';
import { defaultRules as rules } from '#domain/claims/rules.js';
import { appendStatement, foldAll, hasDueStatement } from '#domain/claims/fold.js';
import {
  deserializeState,
  serializeState,
  emptyState,
  type PropertyState,
  type Statement,
} from '#domain/claims/property-state.js';
import { DAY_US } from '#domain/time/instant.js';
import { anyLog, at, LATER, logs, ORIGINS, PROPERTIES, shuffled, statement } from './claims-logs.js';

/** A state after a stay in the database. */
function stored(state: PropertyState): PropertyState {
  return deserializeState(serializeState(state));
}

describe('folding as observations arrive', () => {
  it('gives what a fold of the whole log gives, whatever the order of arrival and however often stored', () => {
    const counted = { appended: 0, late: 0 };
    const arriving = anyLog.chain(({ property, log }) =>
      fc.record({
        property: fc.constant(property),
        arrivals: fc.oneof(shuffled(log), fc.constant(log)),
        storing: fc.array(fc.boolean(), { minLength: log.length, maxLength: log.length }),
      }),
    );
    fc.assert(
      fc.property(arriving, ({ property, arrivals, storing }) => {
        let state = emptyState();
        arrivals.forEach((stated, index) => {
          const held = storing[index] ? stored(state) : state;
          const result = appendStatement(rules, property, held, stated, LATER);
          counted[result === 'late' ? 'late' : 'appended'] += 1;
          const whole = foldAll(rules, property, arrivals.slice(0, index + 1), LATER);
          state = result === 'late' ? whole : result.state;
          expect(state).toStrictEqual(whole);
        });
        expect(stored(state)).toStrictEqual(state);
      }),
      { numRuns: 400 },
    );
    expect(counted.appended).toBeGreaterThan(1000);
    expect(counted.late).toBeGreaterThan(500);
  });

  it('gives it too while the clock runs and future statements become due', () => {
    let dueAgain = 0;
    const arriving = anyLog.chain(({ property, log }) =>
      fc.record({
        property: fc.constant(property),
        arrivals: shuffled(log),
        waits: fc.array(fc.nat(400 * DAY_US), { minLength: log.length, maxLength: log.length }),
      }),
    );
    fc.assert(
      fc.property(arriving, ({ property, arrivals, waits }) => {
        let now = at('2015-01-01');
        let state = emptyState();
        arrivals.forEach((message, index) => {
          now += waits[index] ?? 0;
          if (hasDueStatement(state, now)) dueAgain += 1;
          const result = appendStatement(rules, property, stored(state), message, now);
          const whole = foldAll(rules, property, arrivals.slice(0, index + 1), now);
          state = result === 'late' ? whole : result.state;
          expect(state).toStrictEqual(whole);
          const later = arrivals.slice(0, index + 1).filter(each => each.observedAt > now);
          const earliest = later.length > 0 ? Math.min(...later.map(each => each.observedAt)) : null;
          expect([state.pending, state.nextChangeAt]).toEqual([later.length, earliest]);
        });
      }),
      { numRuns: 300 },
    );
    expect(dueAgain).toBeGreaterThan(100);
  });

  it('leaves the state that it was given as it was', () => {
    fc.assert(
      fc.property(anyLog, ({ property, log }) => {
        const before = foldAll(rules, property, log.slice(0, -1), LATER);
        const copy = stored(before);
        for (const output of log.slice(-1)) appendStatement(rules, property, before, output, LATER);
        expect(before).toStrictEqual(copy);
      }),
      { numRuns: 300 },
    );
  });

  it('is late when the rules are others', () => {
    const [text] = [statement('title', 'CEO', 'agent/api', at('2026-01-01'))];
    const state = foldAll(rules, 'title', [text], LATER);
    const next = statement('title', 'CTO', 'agent/api', at('2026-02-01'));
    expect(appendStatement({ ...rules, version: 'acme@2' }, 'title', state, next, LATER)).toBe('late');
    expect(appendStatement(rules, 'title', state, next, LATER)).not.toBe('late');
    expect(appendStatement(rules, 'title', state, text, LATER)).toBe('late');
  });
});

describe('the present', () => {
  const now = at('2026-11-20');
  const past = foldAll(rules, 'title', [statement('title', 'CEO', 'agent/api', now - 1)], now);

  it('includes what is stated of this very instant', () => {
    const result = appendStatement(rules, 'title', past, statement('title', 'CTO', 'agent/api', now), now);
    expect(result).toMatchObject({ state: { count: 2, pending: 0, nextChangeAt: null } });
  });

  it('leaves what is a microsecond ahead pending until it is due', () => {
    const result = appendStatement(rules, 'title', past, statement('title', 'CTO', 'agent/api', now + 1), now);
    if (result === 'late') throw new Error('not late yet');
    expect(result.state).toMatchObject({ count: 1, pending: 1, nextChangeAt: now + 1 });
    expect([hasDueStatement(result.state, now), hasDueStatement(result.state, now + 1)]).toEqual([false, true]);
    expect(appendStatement(rules, 'title', result.state, statement('title', 'CFO', 'agent/api', now), now + 1)).toBe(
      'late',
    );
  });
});

describe('the size of a state', () => {
  const size = (state: PropertyState): number => JSON.stringify(state).length;
  const long = (property: string, count: number, valueOf: (index: number) => Statement['value']): Statement[] =>
    Array.from({ length: count }, (_, index) =>
      statement(
        property,
        valueOf(index),
        ORIGINS[index % 5] ?? '',
        at('2020-01-01') + index * (DAY_US / 4),
        `id-${index}`,
      ),
    );

  it('does not grow with the log', () => {
    for (const property of PROPERTIES) {
      const words = ['CRO', 'CEO', 'VP Sales', ['Go', 'Rust'], null];
      const states = [500, 5000].map(count =>
        foldAll(
          rules,
          property,
          long(property, count, index => words[(index * 7) % 5] ?? null),
          LATER,
        ),
      );
      const [short = 0, whole = 0] = states.map(size);
      expect(states.map(state => state.count)).toEqual([500, 5000]);
      expect(whole).toBeLessThan(short * 1.1);
      expect(whole).toBeLessThan(20_000);
    }
  });

  it('does not grow with the values, the sources or the length of what they say', () => {
    const manyValues = foldAll(
      rules,
      'technologies',
      long('technologies', 5000, index => `tool ${index}`),
      LATER,
    );
    expect(manyValues.tracks).toHaveLength(512);
    expect(manyValues.tracks.map(track => track.newest.value)).toContain('tool 4999');
    const texts = foldAll(
      rules,
      'title',
      long('title', 200, index => `${index}`.repeat(2000)),
      LATER,
    );
    expect(size(texts)).toBeLessThan(150_000);
    const sources = Array.from({ length: 1000 }, (_, index) =>
      statement(
        'title',
        index % 3 ? 'CRO' : `CEO ${index}`,
        `partner${index}/api`,
        at('2020-01-01') + index,
        `${index}`,
      ),
    );
    const crowd = foldAll(rules, 'title', sources, LATER);
    expect(crowd.tracks[0]?.sources.length).toBe(128);
    expect(crowd.count).toBe(1000);
  });

  it('keeps the newest periods and counts all', () => {
    const titles = foldAll(
      rules,
      'stage',
      long('stage', 100, index => `stage ${index}`),
      LATER,
    );
    expect(titles.tracks[0]?.history.map(period => period.value)).toEqual(
      Array.from({ length: 32 }, (_, index) => `stage ${67 + index}`),
    );
    expect(titles.tracks[0]?.periods).toBe(99);
  });

  it('stays equal to a fold of the log beyond its bounds', () => {
    const crowd = Array.from({ length: 90 }, (_, index) => `partner${index}/${['llm', 'api', 'rules'][index % 3]}`);
    fc.assert(
      fc.property(logs('title', crowd), logs('title', crowd), (one, other) => {
        const log = [
          ...one,
          ...other,
          ...crowd.map((who, n) => statement('title', `v${n % 4}`, who, LATER - 99 + n)),
        ].sort((before, after) => before.observedAt - after.observedAt);
        let state = emptyState();
        for (const [index, late] of log.entries()) {
          const result = appendStatement(rules, 'title', stored(state), late, LATER);
          state = result === 'late' ? foldAll(rules, 'title', log.slice(0, index + 1), LATER) : result.state;
        }
        expect(state).toStrictEqual(foldAll(rules, 'title', log, LATER));
      }),
      { numRuns: 25 },
    );
  });
});
