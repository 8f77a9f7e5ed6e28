const PREFERENCE = 'rapport-paged-lists';

/** Returns whether lists load more rows by a button. Endless lists do not serve everybody, and scrolling is the default. */
export function areListsPaged(): boolean {
  return localStorage.getItem(PREFERENCE) === 'on';
}

/** Chooses in this browser whether lists load more rows by a button. */
export function setListsPaged(isOn: boolean): void {
  localStorage.setItem(PREFERENCE, isOn ? 'on' : 'off');
}
