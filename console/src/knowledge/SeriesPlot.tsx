import { w } from '../words/en.ts';
import { AXIS_COLUMNS } from './EvidenceAxis.tsx';
import type { Axis } from './evidence.ts';
import { createTimeScale } from './scale.ts';
import type { ClaimEvidence } from './types.ts';

const WIDTH = 400;
const HEIGHT = 56;
const MARGIN = 2;
/** Points that a curve between two statements is drawn with. */
const CURVE_POINTS = 8;

type Series = ClaimEvidence['series'];

/** Draws confidence (line) and freshness (dashed) over the time of the axis above. Both run from 0 to 1. */
export function SeriesPlot({ series, axis: { from, to } }: { series: Series; axis: Axis }) {
  const last = series.at(-1);
  if (!last) return null;
  const { shareOf } = createTimeScale(from, to);
  const toPoint = (at: number, value: number) =>
    `${(shareOf(at) * WIDTH).toFixed(1)},${(HEIGHT - MARGIN - value * (HEIGHT - 2 * MARGIN)).toFixed(1)}`;
  const name = `${w.evidence.howSure} ${last.confidence.toFixed(2)}, ${w.evidence.howFresh} ${last.freshness_score.toFixed(2)}`;
  return (
    <figure>
      <div className={AXIS_COLUMNS}>
        <figcaption className="space-y-1 py-1 text-right text-xs text-quiet">
          <span className="block">
            {w.evidence.howSure}
            <i className="ml-1.5 inline-block h-0.5 w-4 bg-accent align-middle" />
          </span>
          <span className="block">
            {w.evidence.howFresh}
            <i className="ml-1.5 inline-block w-4 border-t border-dashed border-quiet align-middle" />
          </span>
        </figcaption>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={name}
          className="h-14 w-[98%] overflow-visible border-b border-l border-line"
        >
          <polyline
            points={toFreshnessCurve(series)
              .map(({ at, value }) => toPoint(at, value))
              .join(' ')}
            fill="none"
            className="stroke-quiet"
            strokeDasharray="3 3"
            vectorEffect="non-scaling-stroke"
          />
          <polyline
            points={series.map(({ at, confidence }) => toPoint(Date.parse(at), confidence)).join(' ')}
            fill="none"
            className="stroke-accent"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </div>
    </figure>
  );
}

/** Freshness halves at a constant rate between statements, so a line between two points would be wrong. */
function toFreshnessCurve(series: Series): { readonly at: number; readonly value: number }[] {
  return series.flatMap(({ at, freshness_score: value }, index) => {
    const next = series[index + 1];
    const start = Date.parse(at);
    if (!next || value === 0 || next.freshness_score === 0) return [{ at: start, value }];
    const span = Date.parse(next.at) - start;
    return Array.from({ length: CURVE_POINTS }, (_, step) => {
      const part = step / CURVE_POINTS;
      return { at: start + part * span, value: value * (next.freshness_score / value) ** part };
    });
  });
}
