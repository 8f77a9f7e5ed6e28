import { useEffect, useState } from 'react';
import { w } from '../words/en.ts';

const SECOND_MS = 1_000;

/** Counts down until the hub can be asked again, and then asks it. */
export function RetryCountdown({ seconds, onRetry }: { seconds: number; onRetry: (() => void) | undefined }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (left <= 0) return onRetry?.();
    const timer = setTimeout(() => setLeft(left - 1), SECOND_MS);
    return () => clearTimeout(timer);
    // The function is another one each time that the page is drawn; only the passing of time matters.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [left]);
  return (
    <p className="text-quiet">
      <span className="sr-only">{w.problem.retryAfter(seconds)}</span>
      <span aria-hidden="true">{left > 0 ? w.problem.retryAfter(left) : w.problem.retrying}</span>
    </p>
  );
}
