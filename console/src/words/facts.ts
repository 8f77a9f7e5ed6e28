import { count } from './count.ts';

/** The words of the pages about facts: conflicts, decaying facts, provenance. They load with these pages only. */
export const factWords = {
  pages: 'Pages about facts',
  source: 'Source',
  count: (n: number) => count(n, 'fact', 'facts'),
  partial: 'Only the 50 properties with the most facts are counted.',
  /** Names a number that opens its rows. */
  open: {
    people: (n: number) => `Open ${count(n, 'person', 'people')}`,
    companies: (n: number) => `Open ${count(n, 'company', 'companies')}`,
  },
  conflicts: {
    title: 'Conflicts',
    text: 'Facts on which sources disagree. Those on which your scores and deals depend come first.',
    total: (n: number) => count(n, 'conflict', 'conflicts'),
    decide: 'Decide',
    keys: 'Y confirms the value, V states another one, J and K walk the list.',
    empty: 'No source contradicts another',
    emptyText: 'A fact appears here when sources that weigh about the same state different values.',
  },
  decaying: {
    title: 'Decaying',
    text: 'Facts that stop being fresh, by the cheapest way to renew them. One with several sources is listed under each.',
    window: 'Facts that are listed',
    windows: { '7d': 'Within 7 days', '30d': 'Within 30 days', past: 'No longer fresh' },
    empty: {
      '7d': 'Everything stays fresh for a week',
      '30d': 'Everything stays fresh for a month',
      past: 'Every fact is fresh',
    },
    emptyText: 'How long a fact stays fresh depends on how often facts of its kind change.',
    ways: {
      sync: { title: 'Sync again', text: 'The system that stated them is asked again.', action: 'Open integrations' },
      provider: { title: 'Look up again', text: 'A provider or a page knows them.', action: 'Open integrations' },
      import: { title: 'Import a newer file', text: 'They came from a file.', action: 'Open imports' },
      contact: { title: 'Get in touch', text: 'An answer, a signature or a form renews them.', action: '' },
      confirm: { title: 'Confirm by hand', text: 'A person or an agent stated them.', action: '' },
      derived: { title: 'Derived', text: 'They are renewed with what they are derived from.', action: '' },
    },
  },
  provenance: {
    title: 'Provenance',
    text: 'How many facts stand on one source alone, of all that it supports. A number opens its rows.',
    of: 'Facts about',
    facts: 'Facts',
    alone: 'On one source',
    share: (share: number) => `${Math.round(share * 100)} %`,
    /** Follows the number of facts that stand on the source alone, and of all that it supports. */
    cell: (property: string, source: string) => `facts about ${property} stand on ${source} alone`,
    empty: 'No facts yet',
    emptyText: 'Record observations, import a file or connect an integration, and the map shows who states what.',
  },
};
