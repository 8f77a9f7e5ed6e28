import type { JsonValue } from '#domain/observation/observation.js';
import { COMPARED_PROPERTIES, type CustomerExample, readComparedValue } from '#domain/icp/example-bins.js';

/** How often won and lost customers of a made-up market have each value. */
const MARKET: Readonly<Record<string, readonly (readonly [value: JsonValue, won: number, lost: number])[]>> = {
  industry: [
    ['Software', 5, 2],
    ['SaaS', 3, 1],
    ['Fintech', 2, 2],
    ['Retail', 1, 4],
    ['Logistics', 2, 2],
    ['Education', 1, 3],
  ],
  headcount: [
    [8, 1, 4],
    [30, 2, 3],
    ['51-200', 5, 2],
    [400, 4, 2],
    [3000, 1, 2],
  ],
  country: [
    ['Germany', 5, 3],
    ['Austria', 2, 1],
    ['France', 1, 3],
    ['United States', 2, 3],
  ],
  title: [
    ['VP Sales', 4, 1],
    ['Head of Sales', 3, 2],
    ['Marketing Manager', 2, 3],
    ['HR Manager', 1, 3],
    ['Founder', 2, 2],
  ],
};

/** Share of the values that nobody knows. */
const UNKNOWN_SHARE = 0.25;

/** Draws won and lost customers of the market; the same seed gives the same ones. */
export function drawCustomers(seed: number, count: number): { won: CustomerExample[]; lost: CustomerExample[] } {
  const random = createRandom(seed);
  const draw = (side: 1 | 2): CustomerExample =>
    new Map(
      Object.entries(MARKET).flatMap(([property, values]) => {
        if (random() < UNKNOWN_SHARE) return [];
        const all = values.reduce((sum, value) => sum + value[side], 0);
        let rest = random() * all;
        const drawn = values.find(value => (rest -= value[side]) < 0) ?? values.at(-1)!;
        return [[property, drawn[0]] as const];
      }),
    );
  return {
    won: Array.from({ length: count }, () => draw(1)),
    lost: Array.from({ length: count }, () => draw(2)),
  };
}

/** Trains naive Bayes with add-one smoothing over the same bins, and returns its log-odds. */
export function trainNaiveBayes(won: readonly CustomerExample[], lost: readonly CustomerExample[]) {
  const binOf = (example: CustomerExample, i: number) => {
    const compared = COMPARED_PROPERTIES[i]!;
    const value = readComparedValue(example, compared);
    return value === undefined ? undefined : compared.listBins(value)[0];
  };
  const tables = COMPARED_PROPERTIES.map((_, i) => {
    const [ofWon, ofLost] = [won, lost].map(all => all.flatMap(each => binOf(each, i) ?? []));
    const bins = new Set([...ofWon!, ...ofLost!]);
    const share = (all: readonly string[], bin: string) =>
      (all.filter(each => each === bin).length + 1) / (all.length + bins.size);
    return (bin: string) => (bins.has(bin) ? Math.log(share(ofWon!, bin) / share(ofLost!, bin)) : 0);
  });
  return (example: CustomerExample) =>
    tables.reduce((sum, logOdds, i) => {
      const bin = binOf(example, i);
      return bin === undefined ? sum : sum + logOdds(bin);
    }, 0);
}

/** Linear congruential generator (Numerical Recipes): numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
