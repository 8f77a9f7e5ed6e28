import { useEffect, useState } from 'react';
import { w } from '../words/en.ts';

const DELAY_MS = 150;

/** Rows in place of those that are being loaded. A fast answer shows none. */
export function Skeleton({ rows, height = 36 }: { rows: number; height?: number }) {
  const [isShown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={w.loading}>
      {isShown &&
        Array.from({ length: rows }, (_, row) => (
          <div key={row} className="flex items-center border-b border-line px-4" style={{ height }}>
            <div className="h-3 rounded bg-sunk" style={{ width: `${30 + ((row * 37) % 45)}%` }} />
          </div>
        ))}
    </div>
  );
}
