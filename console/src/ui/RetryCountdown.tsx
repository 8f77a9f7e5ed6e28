import { useEffect, useEffectEvent, useState } from 'react';
import { w } from '../words/en.ts';

const SECOND_MS = 1_000;

/** Counts down until the hub can be asked again, and then asks it. */
export function RetryCountdown({ seconds, onRetry }: { seconds: number; onRetry: (() => void) | undefined }) {
  const [left, setLeft] = useState(seconds);
  const retry = useEffectEvent(() => onRetry?.());
  useEffect(() => {
    if (left <= 0) {
      retry();
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left - 1), SECOND_MS);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <p className="text-quiet">
      <span className="sr-only">{w.problem.retryAfter(seconds)}</span>
      <span aria-hidden="true">{left > 0 ? w.problem.retryAfter(left) : w.problem.retrying}</span>
    </p>
  );
}
