import { isPlan, PLANS, isPlanAtLeast } from '#domain/plans/tiers.js';

test('a plan reaches itself and every smaller one', () => {
  const reached = PLANS.map(plan => PLANS.filter(minimum => isPlanAtLeast(plan, minimum)));
  expect(reached).toEqual([['starter'], ['starter', 'growth'], ['starter', 'growth', 'scale']]);
});

test.each([
  ['growth', true],
  ['Growth', false],
  [undefined, false],
])('%p names a plan: %p', (text, named) => {
  expect(isPlan(text)).toBe(named);
});
