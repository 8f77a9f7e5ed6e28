import type { StoredList } from './neighbours.ts';

const STORED = 'rapport-list';

/** Keeps the loaded rows of a list for this tab, so that its rows can be walked from an account page. */
export function storeList(list: StoredList): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(list));
  } catch {
    // A list that is too large for the store of the browser is not walked.
  }
}

/** Returns the list that a person came from. */
export function readStoredList(): StoredList | undefined {
  const text = sessionStorage.getItem(STORED);
  return text === null ? undefined : (JSON.parse(text) as StoredList);
}
