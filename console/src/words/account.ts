import { count } from './count.ts';

/** Words of the account page that load with it. */
export const accountWords = {
  activity: 'Activity',
  events: (n: number, weeks: number) => `${count(n, 'event', 'events')} in ${count(weeks, 'week', 'weeks')}`,
  activityLabel: (n: number, weeks: number, most: number) =>
    `${count(n, 'event', 'events')} in the last ${count(weeks, 'week', 'weeks')}, at most ${most} in one.`,
  week: (from: string, n: number) => `Week from ${from}: ${count(n, 'event', 'events')}`,
  merged: 'The account at the address that you opened was merged into this one.',
  unmerge: 'Undo the merge',
  links: 'Merges',
  noLinks: 'This account was merged with no other one.',
  linkKind: { same_as: 'Merged', not_same: 'Kept apart' },
  proposals: (n: number) => `${count(n, 'proposal waits', 'proposals wait')} for a decision`,
  mergeWith: 'Merge with another account',
  mergeTitle: (name: string) => `Merge ${name} with another account`,
  mergeReason: 'Merged in the console',
  other: 'E-mail address, domain or LinkedIn URL of the other account',
  compare: 'Compare',
  score: 'Score',
  noModel: 'There is no score: say who your ideal customer is under Settings, Scoring.',
  priority: (priority: number) => `priority ${priority}`,
  coverage: (share: number) => `${Math.round(share * 100)} % of the rules known`,
  missing: 'What to find out next',
  missingWhy: (gap: string, how: string, gain: number) => `${gap}; ${how}; up to ${Math.round(gain)} points`,
  gap: {
    absent: 'nobody has stated it',
    expired: 'what is known has expired',
    contested: 'sources disagree',
    low_confidence: 'it is not certain enough',
  },
  how: { enrich: 'enrich it', research: 'look it up', ask: 'ask', verify: 'verify it' },
  scoreHistory: 'Fit over time',
  scores: (n: number) => count(n, 'recorded score', 'recorded scores'),
  scoreOn: (at: string, score: number | null) => `${at}: ${score === null ? 'unknown' : score}`,
};
