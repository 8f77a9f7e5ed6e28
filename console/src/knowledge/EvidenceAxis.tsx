import { cn } from '../ui/cn.ts';
import { w } from '../words/en.ts';
import { DAY_MS, day, exactTime, lasted } from '../words/when.ts';
import type { Axis } from './evidence.ts';
import { createTimeScale } from './scale.ts';

const STEPS: readonly (readonly [days: number, label: string])[] = [
  [7, '1 wk'],
  [30.4, '1 mo'],
  [91, '3 mo'],
  [182, '6 mo'],
  [365, '1 yr'],
  [730, '2 yr'],
  [1826, '5 yr'],
  [3652, '10 yr'],
];
/** Least part of the width between two labels. */
const LABEL_SHARE = 0.14;
/** Diameter of a statement without weight, and what full weight adds, in pixels. */
const DOT_PX = 7;
const WEIGHT_PX = 7;
const MAX_LANES = 12;
/** Part of the width that the axis takes, in per cent; the last dot needs the rest. */
const AXIS_SHARE = 98;
/** Columns of the axis and of the plot below it: names of values, and time. */
export const AXIS_COLUMNS = 'grid grid-cols-[minmax(72px,132px)_1fr] gap-x-3';

/** Draws when each value was stated and held: a lane for each value, the present one first. */
export function EvidenceAxis({ axis: { lanes, from, to } }: { axis: Axis }) {
  const { reach, shareOf } = createTimeScale(from, to);
  const place = (at: number) => `${shareOf(at) * AXIS_SHARE}%`;
  const ticks = listTicks(to, reach);
  return (
    <figure className="select-none">
      <div className={AXIS_COLUMNS} role="img" aria-label={describe(lanes)}>
        {lanes.slice(0, MAX_LANES).map(({ value, isCurrent, periods, dots }) => (
          <div key={value} className="contents">
            <div
              className={cn('truncate py-1.5 text-right text-xs', isCurrent ? 'font-semibold text-ink' : 'text-quiet')}
              title={value}
            >
              {value}
            </div>
            <div className="relative border-l border-line">
              {ticks.map(({ at }) => (
                <i key={at} className="absolute inset-y-0 w-px bg-line" style={{ left: place(at) }} />
              ))}
              {periods.map(period => (
                <span
                  key={period.from}
                  title={`${lasted(period.from, period.to)}, ${day(period.from)} – ${day(period.to)}`}
                  className={cn(
                    'absolute top-1/2 h-1.5 -translate-y-1/2 rounded-full',
                    isCurrent ? 'bg-for opacity-50' : 'bg-line-strong',
                  )}
                  style={{ left: place(period.from), width: `calc(${place(period.to)} - ${place(period.from)})` }}
                />
              ))}
              {dots.map(({ id, at, source, weight }) => (
                <span
                  key={id}
                  title={`${source}, ${exactTime(new Date(at).toISOString())}`}
                  className={cn(
                    'absolute top-1/2 -translate-x-1/2 -translate-y-1/2 rounded-full border-[1.5px]',
                    isCurrent ? 'border-for' : 'border-against',
                    weight === 0 && 'bg-paper',
                    weight > 0 && (isCurrent ? 'bg-for' : 'bg-against'),
                  )}
                  style={{ left: place(at), width: DOT_PX + WEIGHT_PX * weight, height: DOT_PX + WEIGHT_PX * weight }}
                />
              ))}
            </div>
          </div>
        ))}
        <div />
        <div className="num relative mt-1 h-5 text-quiet">
          {ticks.map(({ at, label }) => (
            <span key={at} className="absolute -translate-x-1/2 text-[11px]" style={{ left: place(at) }}>
              {label}
            </span>
          ))}
          <span className="absolute right-0 text-[11px] font-medium text-ink">{w.evidence.now}</span>
        </div>
      </div>
      <figcaption className="mt-1 flex flex-wrap gap-x-4 text-xs text-quiet">
        <span>
          <i className="mr-1.5 inline-block h-1.5 w-4 rounded-full bg-line-strong align-middle" />
          {w.evidence.held}
        </span>
        <span>
          <i className="mr-1.5 inline-block size-2.5 rounded-full bg-for align-middle" />
          {w.evidence.counts}
        </span>
        <span>
          <i className="mr-1.5 inline-block size-2.5 rounded-full border-[1.5px] border-against bg-paper align-middle" />
          {w.evidence.countsNot}
        </span>
      </figcaption>
    </figure>
  );
}

/** Tells screen readers what the axis shows. */
function describe(lanes: Axis['lanes']): string {
  const list = lanes.map(
    ({ value, dots, periods }) =>
      `${value}: ${dots.length}, ${periods.map(({ from, to }) => `${day(from)} – ${day(to)}`).join(', ')}`,
  );
  return `${w.evidence.axis}. ${list.join('; ')}`;
}

/** Returns round distances from now, as many as do not touch one another. */
function listTicks(to: number, reach: number): { readonly at: number; readonly label: string }[] {
  let free = 1 - LABEL_SHARE;
  return STEPS.flatMap(([days, label]) => {
    const share = 1 - Math.sqrt((days * DAY_MS) / reach);
    if (!(share > 0.03 && share < free)) return [];
    free = share - LABEL_SHARE;
    return [{ at: to - days * DAY_MS, label }];
  });
}
