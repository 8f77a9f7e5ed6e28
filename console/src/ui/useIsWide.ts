import { useSyncExternalStore } from 'react';

const QUERY = '(min-width: 1100px)';

function subscribe(changed: () => void): () => void {
  const query = matchMedia(QUERY);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Returns whether there is room for a list and its details beside each other. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(QUERY).matches);
}
