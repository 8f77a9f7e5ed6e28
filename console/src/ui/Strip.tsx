import { cn } from './cn.ts';

const TONES = { accent: 'bg-accent', good: 'bg-for', bad: 'bg-against', waiting: 'bg-expired' } as const;

/** A bar of a strip. */
export interface StripBar {
  readonly key: string;
  /** What the bar stands for, shown on hover. */
  readonly title: string;
  /** Height, from 0 to 1. A bar of 0 is a line, so that its place is seen. */
  readonly share: number;
  readonly tone: keyof typeof TONES;
}

/** Small numbers side by side, in the order of time. @param label says to screen readers what the bars show */
export function Strip({ label, bars }: { label: string; bars: readonly StripBar[] }) {
  return (
    <div role="img" aria-label={label} className="flex h-10 items-end gap-0.5">
      {bars.map(({ key, title, share, tone }) => (
        <i key={key} title={title} className="flex h-full max-w-5 min-w-0.5 flex-1 items-end">
          <i
            className={cn('block w-full rounded-t-xs', share === 0 ? 'bg-bar-empty' : TONES[tone])}
            style={{ height: share === 0 ? 2 : `${Math.max(8, share * 100)}%` }}
          />
        </i>
      ))}
    </div>
  );
}
