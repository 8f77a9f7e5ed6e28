import { Moment } from '../ui/Moment.tsx';
import { w } from '../words/en.ts';

/** A time in a cell of a list. */
export function TimeCell({ at }: { at: string | null }) {
  if (at === null) return <span className="text-quiet">{w.noneYet}</span>;
  return <Moment at={at} className="truncate" />;
}
