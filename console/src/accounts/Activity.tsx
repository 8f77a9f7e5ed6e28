import { useState } from 'react';
import type { Schemas } from '../api/schemas.ts';
import type { ShownMoment } from '../knowledge/types.ts';
import { Strip } from '../ui/Strip.tsx';
import { accountWords as words } from '../words/account.ts';
import { day } from '../words/when.ts';
import { countWeeks } from './activity.ts';

/** How much happened in each of the last weeks, as far back as the rows of the account reach. */
export function Activity({ account, moment: { as_of } }: { account: Schemas['Account']; moment: ShownMoment }) {
  const [opened] = useState(() => Date.now());
  const rows = account.recent_observations ?? [];
  const events = rows.filter(({ kind }) => kind === 'event').map(({ observed_at }) => observed_at);
  if (events.length === 0) return null;
  const now = as_of === undefined ? opened : Date.parse(as_of);
  // With further rows, the oldest one is as far as the counts are whole.
  const knownSince = account.next_cursor === null ? 0 : Date.parse(rows.at(-1)!.observed_at);
  const weeks = countWeeks(events, knownSince, now);
  const total = weeks.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const most = Math.max(...weeks.map(({ count }) => count));
  return (
    <section aria-label={words.activity} className="px-5 pt-6">
      <h2 className="mb-2 flex items-baseline gap-3 font-semibold">
        {words.activity}
        <span className="num font-normal text-quiet">{words.events(total, weeks.length)}</span>
      </h2>
      <Strip
        label={words.activityLabel(total, weeks.length, most)}
        bars={weeks.map(({ from, count }) => ({
          key: String(from),
          title: words.week(day(from), count),
          share: count / most,
          tone: 'accent',
        }))}
      />
    </section>
  );
}
