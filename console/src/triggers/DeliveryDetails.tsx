import type { Schemas } from '../api/schemas.ts';
import { exactTime } from '../words/when.ts';

/** The attempts of a delivery, the oldest first, and what it sends. */
export function DeliveryDetails({ delivery: { attempts, payload } }: { delivery: Schemas['TriggerDelivery'] }) {
  return (
    <>
      <ol className="space-y-1">
        {attempts.map(({ at, ms, status, error }) => (
          <li key={at} className="num text-quiet">
            {exactTime(at)} · {status ?? error} · {Math.round(ms)} ms
          </li>
        ))}
      </ol>
      <pre
        className="num max-h-72 overflow-auto rounded-md border border-line bg-panel p-3 whitespace-pre-wrap"
        tabIndex={0}
      >
        {payload}
      </pre>
    </>
  );
}
