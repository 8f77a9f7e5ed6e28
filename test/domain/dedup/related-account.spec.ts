import { findRelatedAccount } from '#domain/dedup/related-account.js';

const staged = (...stages: readonly string[]) => stages.map((stage, i) => ({ entityId: `e${i}`, stage }));

it.each<[title: string, stages: readonly string[], expected: string | undefined]>([
  ['no stage', [], undefined],
  ['a lost deal', ['closed lost'], undefined],
  ['a prospect', ['prospecting'], undefined],
  ['a stage whose words say nothing', ['Phase 9'], undefined],
  ['a deal in qualification', ['qualification'], 'open_deal of e0'],
  ['a lost deal beside an open one', ['closed lost', 'In Verhandlung'], 'open_deal of e1'],
  ['a customer with another open deal', ['proposal', 'customer'], 'customer of e1'],
])('a company with %s', (_title, stages, expected) => {
  const account = findRelatedAccount(staged(...stages));
  expect(account && `${account.relation} of ${account.entityId}`).toBe(expected);
});
