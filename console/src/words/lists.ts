import { count } from './count.ts';

/** The words about ticked rows and the row that one looks into. They load when they are needed. */
export const listWords = {
  selection: 'Ticked rows',
  selected: (n: number) => count(n, 'row is ticked', 'rows are ticked'),
  clear: 'Untick all',
  addToList: 'Add to a lead list',
  newList: 'Name of a new list',
  lists: 'Lead lists',
  create: 'Create and add',
  exportTicked: 'Export the ticked rows',
  added: (added: number, list: string) => `${count(added, 'person is', 'people are')} now in ${list}.`,
  addedSome: (added: number, known: number, failed: number, list: string) =>
    `${count(added, 'person is', 'people are')} now in ${list}. ` +
    [known > 0 && `${count(known, 'was', 'were')} there already.`, failed > 0 && `${failed} could not be added.`]
      .filter(Boolean)
      .join(' '),
  peek: 'At a glance',
  open: 'Open the account',
  closePeek: 'Close',
  noClaims: 'Nothing is known yet.',
  setting: 'Lists in this browser',
  paged: 'Load more rows by a button, instead of while you scroll',
};
