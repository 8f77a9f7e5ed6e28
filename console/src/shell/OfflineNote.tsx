import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { w } from '../words/en.ts';

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

/** Says that the browser has no connection, while that is so. */
export function OfflineNote() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status" className="col-span-full">
      {!isOnline && (
        <p className="flex items-center gap-2.5 border-b border-against/30 bg-against-soft px-4 py-2 text-against">
          <WifiOff className="size-4 shrink-0" aria-hidden="true" />
          {w.offline}
        </p>
      )}
    </div>
  );
}
