import { count } from './count.ts';

/** The words of the worklist. They load with it only. */
export const attentionWords = {
  text: 'What needs somebody now, the most urgent first.',
  /** Name of the list of people of an account. */
  people: 'People there',
  kinds: {
    all: 'Everything',
    unanswered_reply: 'Unanswered replies',
    callback_due: 'Callbacks due',
    commitment_due: 'Commitments due',
    upcoming_meeting: 'Upcoming meetings',
    meeting_without_outcome: 'Meetings without outcome',
    going_dark: 'Going dark',
    decayed_fact: 'Decayed facts',
    open_commitment: 'Open commitments',
    work_now: 'Work now',
    play_changed: 'Plays changed',
    contested_claim: 'Contested claims',
    merge_proposal: 'Merge proposals',
  } as Readonly<Record<string, string>>,
  evidence: 'Why',
  urgency: 'urgency',
  since: (when: string) => `since ${when}`,
  none: {
    open: {
      title: 'Nothing needs you now',
      text: 'Replies, due callbacks, quiet deals, contested and decayed facts appear here as soon as the graph knows of one.',
    },
    snoozed: { title: 'Nothing is snoozed', text: 'Items that you put off wait here until their day.' },
    done: {
      title: 'Nothing is done yet',
      text: 'Items that you mark as done stay here until there is a newer reason.',
    },
  },
  states: 'State',
  state: { open: 'Open', snoozed: 'Snoozed', done: 'Done' },
  finish: 'Done',
  finished: 'Done. It comes back when there is a newer reason.',
  snooze: 'Snooze',
  inDays: (days: number) => (days === 1 ? 'Tomorrow' : `In ${days} days`),
  snoozedFor: (days: number) => (days === 1 ? 'Snoozed until tomorrow.' : `Snoozed for ${days} days.`),
  until: 'until',
  reopen: 'Reopen',
  reopened: 'Open again.',
  total: (n: number) => count(n, 'item', 'items'),
};
