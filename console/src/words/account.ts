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
  unmergeReason: 'Undone in the console',
  unmerged: 'They are two accounts again.',
};
