import type { Chip } from '../lists/search.ts';
import type { SortOrder } from '../lists/sort.ts';
import { count } from './count.ts';

const number = new Intl.NumberFormat('en');

const SORT_DIRECTIONS = {
  value: { ascending: 'ascending', descending: 'descending' },
  confidence: { ascending: 'least sure first', descending: 'surest first' },
  freshness: { ascending: 'stalest first', descending: 'freshest first' },
};

/**
 * The words of the console, besides those of some pages that stand beside this file and load with their pages. Another language
 * is other files that satisfy the same types.
 */
export const en = {
  main: 'Main',
  skip: 'Skip to the content',
  find: 'Find or go to',
  close: 'Close',
  undo: 'Undo',
  copy: 'Copy',
  copied: 'Copied',
  more: 'Show more',
  tickRow: 'Tick this row',
  tickAll: 'Tick all rows that are loaded',
  exportList: 'Export',
  saveTable: 'Download CSV',
  saveTableHint: 'Saves the rows that are shown, with exact times',
  offline: 'You are offline. What is shown may be out of date; nothing that you entered is lost.',
  exportHint: 'Saves all rows of this list as CSV, with the columns that are shown',
  loading: 'Loading',
  unknown: 'unknown',
  noneYet: 'none yet',
  company: 'Company',
  confidence: 'confidence',
  legend: 'Legend',
  signOut: 'Sign out',
  workspaces: 'Your workspaces',
  newWorkspace: 'New workspace',
  nav: {
    attention: 'Attention',
    people: 'People',
    companies: 'Companies',
    leads: 'Leads',
    notes: 'Notes',
    facts: 'Facts',
    ask: 'Ask',
    merges: 'Merges',
    imports: 'Imports',
    integrations: 'Integrations',
    triggers: 'Triggers',
    settings: 'Settings',
  },
  plan: { starter: 'Starter', growth: 'Growth', scale: 'Scale' },
  role: { owner: 'owner', admin: 'admin', member: 'member', viewer: 'viewer' },
  theme: { system: 'Theme of the system', light: 'Light', dark: 'Dark' },
  freshness: { fresh: 'fresh', aging: 'aging', suspect: 'suspect', expired: 'expired' },
  class: {
    asserted: 'asserted',
    observed: 'observed',
    reported: 'reported',
    inferred: 'inferred',
    corroborated: 'corroborated',
    contested: 'contested',
    ended: 'ended',
  },
  endedAt: (when: string) => `ended ${when}`,
  confirmedAt: (when: string, exact: string) => `last confirmed ${when}, ${exact}`,
  shortcuts: {
    title: 'Keyboard shortcuts',
    single: 'Shortcuts of single letters',
    keys: [
      ['Ctrl K', 'find people, companies and pages'],
      ['G then A, P, C, L, F', 'go to attention, people, companies, leads, facts'],
      ['G then N, M', 'go to notes, merges'],
      ['G then U, I, T, S', 'go to imports, integrations, triggers, settings'],
      ['/, F, V', 'search this list, filter it, go to its views'],
      ['J, K or arrows', 'next and previous row'],
      ['Enter', 'open the row'],
      ['Space', 'show the row beside the list'],
      ['X, Shift X', 'tick the row, and all from the one that was ticked last'],
      ['[ and ]', 'on an account: previous and next of the list that you came from'],
      ['1 to 9', 'on an account: evidence of that claim'],
      ['T, Shift T', 'on an account: back to today, to the choice of another day'],
      ['C', 'beside evidence: copy the claim with its proof'],
      ['Y, V', 'beside evidence: confirm the value, state another one'],
      ['E, S', 'on attention: mark the item as done, snooze it until tomorrow'],
      ['U', 'take the last action back'],
      ['?', 'this list'],
    ] as const,
  },
  palette: {
    placeholder: 'A name, an address, a company, a page, an action',
    found: 'Found',
    go: 'Go to',
    act: 'Do',
    notes: (q: string) => `Search the notes for “${q}”`,
    write: 'Write a note',
    upload: 'Import a file',
    workspace: (name: string) => `Go to the workspace ${name}`,
    theme: (theme: string) => `Theme: ${theme}`,
    nothing: (q: string) => `Nobody and no company is called “${q}”.`,
  },
  problem: {
    title: 'Something went wrong',
    unreachable: 'The hub cannot be reached. Nothing was lost; check your connection and try again.',
    request: 'Request',
    retry: 'Try again',
    retrying: 'You can try again now.',
    retryAfter: (seconds: number) => `Try again in ${count(seconds, 'second', 'seconds')}.`,
  },
  needs: {
    write: 'Your role reads only. Ask an owner or admin for the role of a member.',
    settings: 'Only owners and admins change this.',
    admin: 'Only owners and admins manage members.',
  },
  notFound: { title: 'There is no such page', text: 'The address may be mistyped, or the page has moved.' },
  noWorkspace: {
    title: 'You are not a member of this workspace',
    text: 'Ask an owner or admin of the workspace for an invitation.',
    home: 'To your workspaces',
    none: 'You have no workspace',
    noneText: 'You are signed in, and a member of no workspace. Ask an owner or admin for an invitation.',
  },
  counted: {
    people: (n: number) => count(n, 'person', 'people'),
    companies: (n: number) => count(n, 'company', 'companies'),
    leads: (n: number) => count(n, 'lead', 'leads'),
  },
  moreThan: (counted: string) => `more than ${counted}`,
  searchIn: { people: 'Search people', companies: 'Search companies', leads: 'Search leads' },
  views: 'Views',
  view: {
    everyone: 'Everyone',
    all: 'All',
    safe: 'Title safe to act on',
    contested: 'Contested',
    stale: 'Title expired',
    noIndustry: 'Industry unknown',
    workNow: 'Work now',
    nurture: 'Nurture',
    research: 'Research',
    enrich: 'Enrich',
    suppress: 'Suppress',
  },
  savedViews: {
    save: 'Save view',
    saveAsNew: 'Save as new view',
    saveChanges: 'Save changes',
    edit: 'Edit view',
    name: 'Name',
    share: 'Share with everybody in the workspace',
    remove: 'Delete view',
    saved: (name: string) => `The view “${name}” is saved.`,
    removed: (name: string) => `The view “${name}” is deleted.`,
    shared: 'shared',
    notYours: 'Only its owner and admins change this view. Save your changes as a new one.',
    further: 'Further conditions',
  },
  sort: {
    choose: 'Sort',
    by: 'Sort by',
    kinds: { value: 'its value', confidence: 'how sure it is', freshness: 'how fresh it is' },
    direction: 'Order',
    directions: SORT_DIRECTIONS,
    apply: 'Sort',
    reset: 'Usual order',
    sentence: (order: SortOrder | undefined, sort: string) => {
      if (!order) return `Sorted by ${sort}`;
      const direction = SORT_DIRECTIONS[order.kind][order.descending ? 'descending' : 'ascending'];
      return `Sorted by ${toLabel(order.property)}, ${direction}`;
    },
  },
  columns: {
    choose: 'Columns',
    property: 'Another property',
    add: 'Add column',
    reset: 'Reset columns',
  },
  column: {
    name: 'Name',
    title: 'Title',
    company: 'Company',
    city: 'City',
    email: 'E-mail',
    lastActivity: 'Last activity',
    industry: 'Industry',
    headcount: 'Headcount',
    country: 'Country',
    stage: 'Stage',
    people: 'People',
    priority: 'Priority',
    play: 'Play',
    layers: 'Fit, pain, intent, ability',
    list: 'List',
    leadStatus: 'Status',
    added: 'Added',
  },
  noMatch: {
    title: 'Nothing matches',
    text: 'No row meets every condition. Remove one, or search for something else.',
    clear: 'Remove all conditions',
  },
  removeFilter: 'Remove',
  filter: {
    add: 'Filter',
    property: 'Property',
    condition: 'Condition',
    value: 'Value',
    apply: 'Add filter',
    duration: 'A duration such as 7d or 12h',
    examples: (values: string) => `For example: ${values}`,
    conditions: {
      contains: 'contains',
      is: 'is exactly',
      exists: 'is known',
      missing: 'is unknown',
      freshness: 'has the freshness',
      confidence: 'is at least this sure',
      class: 'is known as',
      source: 'has the source',
      only_source: 'has only the source',
      due: 'stops being fresh within',
      stale: 'is no longer fresh',
    },
  },
  chip: ({ property, condition, value }: Chip): string => {
    const name = toLabel(property);
    switch (condition) {
      case 'contains':
        return `${name} contains “${value}”`;
      case 'is':
        return `${name} is “${value}”`;
      case 'exists':
        return `${name} is known`;
      case 'missing':
        return `${name} is unknown`;
      case 'confidence':
        return `${name} is at least ${value} sure`;
      case 'source':
        return `${name} has the source ${value}`;
      case 'only_source':
        return `${name} has only the source ${value}`;
      case 'due':
        return `${name} stops being fresh within ${value}`;
      case 'stale':
        return `${name} is no longer fresh`;
      default:
        return `${name} is ${value}`;
    }
  },
  leads: {
    everyList: 'Every list',
    list: 'Lead list',
    notScored: 'not scored',
    empty: 'No leads yet',
    emptyText:
      'Leads are people in a list, scored by your ideal customer profile. Import a file into a list, or send them with an API key: POST /v2/lead-lists/attach.',
    layer: { fit: 'Fit', pain: 'Pain', intent: 'Intent', ability: 'Ability' },
    layerOf: (name: string, score: number | null) => `${name} ${score === null ? 'unknown' : score}`,
  },
  fill: {
    people: {
      title: 'Nobody is here yet',
      text: 'Record the first person, or send observations with an API key: POST /v2/observations.',
      focus: 'E-mail address',
      focusExample: 'ada@acme.com',
      nameExample: 'Ada Lovelace',
      second: 'Title',
      secondExample: 'VP Sales',
    },
    companies: {
      title: 'No company is here yet',
      text: 'Record the first company, or send observations with an API key: POST /v2/observations.',
      focus: 'Domain',
      focusExample: 'acme.com',
      nameExample: 'Acme',
      second: 'Industry',
      secondExample: 'Software',
    },
    name: 'Name',
    submit: 'Record',
  },
  sample: {
    title: 'Sample data',
    offer: 'Or look around with invented people and companies. They are removed again by one click.',
    load: 'Load sample data',
    loading: 'Loading …',
    loaded: (people: number, companies: number) =>
      `${count(people, 'invented person', 'invented people')} and ${count(companies, 'company', 'companies')} are here.`,
    present: 'This workspace has sample data: invented people and companies, whose addresses end in “.example”.',
    absent: 'Invented people and companies, with which you can look around.',
    remove: 'Remove sample data',
    removed: (entities: number) => `${count(entities, 'account', 'accounts')} of the sample data are removed.`,
  },
  account: {
    claimsAndTimeline: 'Claims and timeline',
    evidence: 'Evidence',
    noName: 'No name yet',
    /** Title of the status of an address. */
    statusSince: (day: string) => `Last stated on ${day}`,
    unknown: 'Nobody is known by this address',
    failed: 'This account cannot be shown',
    ambiguous: 'Several have this name',
    check: 'Check before you act',
    checkHint: 'not fresh, contested, inferred, or no surer than 0.70',
    safe: 'Safe to act on',
    safeHint: 'fresh, stated, and surer than 0.70',
    past: 'No longer true',
    pastHint: 'the last word is that it has ended',
    none: 'Nothing is known yet',
    noneText: 'Nobody has stated a fact about this account.',
    asOf: 'As it was on',
    asOfHint: 'What was the case on this day, by all that is known now',
    knownAt: 'As known on',
    knownAtHint: 'Only what had been recorded by the end of this day',
    today: 'today',
    backToToday: 'Back to today',
    position: (position: number, total: number) => `${number.format(position)} of ${number.format(total)}`,
    previous: 'Previous of the list',
    next: 'Next of the list',
    people: 'People',
    notes: 'Notes',
    merged: 'This account was merged into the one below.',
    claimEnded: (when: string) => `until ${when}`,
    against: 'against',
    choose: 'Choose a claim to see its evidence.',
  },
  timeline: {
    title: 'Timeline',
    show: 'Show',
    all: 'Everything',
    event: 'What happened',
    state: 'What was stated',
    ended: 'ended',
    empty: 'Nothing has happened yet.',
  },
  evidence: {
    howSure: 'confidence',
    howKnown: 'how it is known',
    howFresh: 'freshness',
    confirmed: (freshness: string, when: string) => `${freshness}, confirmed ${when}`,
    checkFirst: 'Check before you act',
    actOn: 'Safe to act on',
    overTime: 'Over time',
    axis: 'When each value was stated and held',
    held: 'value held',
    counts: 'stated, larger weighs more',
    countsNot: 'stated, does not count',
    now: 'now',
    for: 'For',
    against: 'Against',
    earlier: 'No longer stated',
    nothingFor: 'No source states it now.',
    nothingAgainst: 'No source states otherwise.',
    by: (when: string, method: string) => `${when}, by ${method}`,
    proof: 'Copy with proof',
    proofCopied: 'Copied with its proof',
    correct: 'State another value',
    correctTitle: (property: string) => `State ${property}`,
    newValue: 'Value',
    correctHint: 'It is recorded in your name as a correction, and survives the next sync. Nothing is overwritten.',
    end: 'It has ended',
    save: 'State',
    saved: 'Stated in your name',
    keep: 'Confirm',
    keepHint: 'State the present value again in your name',
    undone: 'Taken back',
  },
};

/** The words of one language. */
export type Words = typeof en;

/** The words that are shown. */
export const w: Words = en;

/** Words of property names that are no ordinary words, as the API writes them in labels too. */
const SPELLINGS: Readonly<Record<string, string>> = {
  crm: 'CRM',
  icp: 'ICP',
  id: 'ID',
  linkedin: 'LinkedIn',
  url: 'URL',
};

/** Returns the name of a property as people read it within a sentence. */
export function toLabel(property: string): string {
  return property
    .split('_')
    .map(word => SPELLINGS[word] ?? word)
    .join(' ');
}
