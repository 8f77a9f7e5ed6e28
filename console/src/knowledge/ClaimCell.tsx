import { cn } from '../ui/cn.ts';
import { w } from '../words/en.ts';
import { ago, exactTime } from '../words/when.ts';
import { ClassGlyph, ClockMark, ConfidenceBar, INK, Unknown } from './marks.tsx';
import type { EpistemicClass, Epistemics } from './types.ts';

/** A claim in a cell of a list: its value, how sure it is, how fresh, and how it is known. */
export function ClaimCell({ value, known }: { value: string | null | undefined; known: Epistemics | undefined }) {
  if (!value && known?.epistemic_class === 'ended') {
    return (
      <span className="flex items-center gap-2 text-quiet" title={w.endedAt(ago(known.last_observed_at))}>
        <span className="flex-1 italic">{w.class.ended}</span>
        <ClassGlyph kind="ended" />
        <ConfidenceBar value={known.confidence} />
      </span>
    );
  }
  if (!value) return <Unknown />;
  if (!known) return <span className="truncate">{value}</span>;
  const isOld = known.freshness === 'suspect' || known.freshness === 'expired';
  const confirmed = w.confirmedAt(ago(known.last_observed_at), exactTime(known.last_observed_at));
  return (
    <span className="flex min-w-0 items-center gap-2" title={`${value}\n${confirmed}`}>
      <span className={cn('flex min-w-0 flex-1 items-baseline gap-1', INK[known.freshness])}>
        <span className="truncate">{value}</span>
        {isOld && <ClockMark />}
        {known.freshness !== 'fresh' && <span className="sr-only">{w.freshness[known.freshness]}</span>}
      </span>
      <ClassGlyph kind={known.epistemic_class as EpistemicClass} />
      <ConfidenceBar value={known.confidence} />
    </span>
  );
}
