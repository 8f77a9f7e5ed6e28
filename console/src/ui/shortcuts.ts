import { useEffect, useRef } from 'react';

const PREFERENCE = 'rapport-single-keys';
/** How long the first key of two waits for the second one, in milliseconds. */
const SEQUENCE_MS = 1_000;
const LETTER = /^[a-z]$/;
/** First key of two. What follows it is never a key of its own. */
const PREFIX = 'g';

/** Returns whether single letters are shortcuts. They can be switched off for those who speak or mistype (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(PREFERENCE) !== 'off';
}

/** Switches shortcuts of single letters on or off in this browser. */
export function setSingleKeys(isOn: boolean): void {
  localStorage.setItem(PREFERENCE, isOn ? 'on' : 'off');
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || !target.matches('input, textarea, select, [contenteditable]')) return false;
  // A field of a dialog that has just closed keeps the focus until the page is drawn again.
  return target.closest('dialog:not([open])') === null;
}

/**
 * Runs functions for keys while nobody types and no dialog is open.
 * @param keys functions by key, such as `?`, by a letter with Shift, such as `shift t`, or by the key G and another one that
 *   follows it, such as `g p`
 */
export function useShortcuts(keys: Readonly<Record<string, () => void>>): void {
  // A page that is drawn again between two keys still waits for the second one.
  const prefixedAt = useRef<number>(undefined);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey || event.metaKey || event.altKey;
      if (isModified || event.defaultPrevented || isTyping(event.target) || document.querySelector('dialog[open]'))
        return;
      if (!areSingleKeysOn()) return;
      const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const key = event.shiftKey && LETTER.test(letter) ? `shift ${letter}` : letter;
      const isSecond = prefixedAt.current !== undefined && event.timeStamp - prefixedAt.current < SEQUENCE_MS;
      prefixedAt.current = key === PREFIX && !isSecond ? event.timeStamp : undefined;
      const run = keys[isSecond ? `${PREFIX} ${key}` : key];
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [keys]);
}
