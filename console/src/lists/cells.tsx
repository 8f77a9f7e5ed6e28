import { w } from '../words/en.ts';
import { ago, exactTime } from '../words/when.ts';

/** A time in a cell of a list. */
export function TimeCell({ at }: { at: string | null }) {
  if (at === null) return <span className="text-quiet">{w.noneYet}</span>;
  return (
    <time dateTime={at} title={exactTime(at)} className="num truncate text-quiet">
      {ago(at)}
    </time>
  );
}
