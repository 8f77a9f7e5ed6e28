import fc from 'fast-check';
import { computeLikeness, type LikenessSide } from '#domain/identity/likeness.js';
import { vectorsOf } from '../../support/vectors.js';

interface Vector {
  readonly why: string;
  readonly type: LikenessSide['type'];
  readonly one: Partial<LikenessSide>;
  readonly other: Partial<LikenessSide>;
  readonly proposed: boolean;
}

const toSide = (type: LikenessSide['type'], given: Partial<LikenessSide>): LikenessSide => ({
  type,
  name: null,
  emails: [],
  linkedins: [],
  phones: [],
  employer: null,
  domains: [],
  ...given,
});

const word = fc.constantFrom(
  'ada',
  'Ada',
  'Lovelace',
  'a.',
  'Bob',
  'Müller',
  'Mueller',
  'GmbH',
  'smith1',
  '',
  ' ',
  '-',
);
const side = fc.record({
  type: fc.constantFrom('person', 'company'),
  name: fc.option(fc.array(word, { maxLength: 4 }).map(words => words.join(' '))),
  emails: fc.array(fc.constantFrom('ada@acme.com', 'adal@acme.com', 'a.lovelace@acme.com', 'ada@acme.co'), {
    maxLength: 3,
  }),
  linkedins: fc.array(fc.constantFrom('linkedin.com/in/ada', 'linkedin.com/in/bob', 'linkedin.com/company/a'), {
    maxLength: 2,
  }),
  phones: fc.array(fc.constantFrom('+1 212 555 0100', '212 555 0100', '5', ''), { maxLength: 2 }),
  employer: fc.option(fc.constantFrom('a', 'b')),
  domains: fc.array(fc.constantFrom('acme.com', 'acme.de', 'bolt.io'), { maxLength: 2 }),
}) as fc.Arbitrary<LikenessSide>;

describe('computeLikeness', () => {
  it.each(vectorsOf<Vector>('identity/likeness'))('$type: $why', ({ type, one, other, proposed }) => {
    const likeness = computeLikeness(toSide(type, one), toSide(type, other));
    expect({ ...likeness, isProposed: likeness.isProposed }).toMatchObject({ isProposed: proposed });
  });

  it('is the same in both directions', () => {
    fc.assert(
      fc.property(side, side, (one, other) => {
        const [there, back] = [computeLikeness(one, other), computeLikeness(other, one)];
        expect([back.score, back.isProposed]).toEqual([there.score, there.isProposed]);
      }),
    );
  });

  it('is a probability, and above the minimum where it proposes', () => {
    fc.assert(
      fc.property(side, side, (one, other) => {
        const { score, isProposed } = computeLikeness(one, other);
        expect(score >= (isProposed ? 0.9 : 0) && score <= 1).toBe(true);
      }),
    );
  });

  it('never proposes a person and a company', () => {
    fc.assert(
      fc.property(side, side, (one, other) => {
        if (one.type !== other.type) expect(computeLikeness(one, other).isProposed).toBe(false);
      }),
    );
  });
});
