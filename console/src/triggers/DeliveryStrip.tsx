import type { Schemas } from '../api/schemas.ts';
import { Strip } from '../ui/Strip.tsx';
import { triggerWords as words } from '../words/triggers.ts';
import { exactTime } from '../words/when.ts';

type Delivery = Schemas['TriggerDelivery'];

const TONES = { delivered: 'good', failed: 'bad', waiting: 'waiting' } as const;

/** The deliveries that are listed, the oldest first: how long the last attempt of each took, and how it ended. */
export function DeliveryStrip({ deliveries }: { deliveries: readonly Delivery[] }) {
  const times = deliveries.map(({ attempts }) => attempts.at(-1)?.ms ?? 0);
  const longest = Math.max(...times, 1);
  const number = (state: Delivery['state']) => deliveries.filter(each => each.state === state).length;
  const summary = words.summary(number('delivered'), number('failed'), number('waiting'), longest);
  return (
    <div className="space-y-1.5 border-b border-line px-5 py-3">
      <p className="text-quiet">{summary}</p>
      <Strip
        label={summary}
        bars={deliveries.toReversed().map(({ id, state, created_at, attempts }) => {
          const ms = attempts.at(-1)?.ms ?? 0;
          return {
            key: id,
            title: words.bar(exactTime(created_at), words.deliveryState[state], ms),
            share: Math.max(0.08, ms / longest),
            tone: TONES[state],
          };
        })}
      />
    </div>
  );
}
