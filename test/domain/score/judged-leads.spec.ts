import { scoreJudgedLeads } from '../../support/judged-leads.js';

it('puts leads in the band in which a careful seller puts them', () => {
  const wrong = scoreJudgedLeads().filter(({ judged, scored }) => judged !== scored);
  expect(wrong).toEqual([]);
});
