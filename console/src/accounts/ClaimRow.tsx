import { ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import { toText } from '../words/text.ts';
import { ClassGlyph, ClockMark, ConfidenceBar, INK } from '../knowledge/marks.tsx';
import type { Claim } from '../knowledge/types.ts';
import { cn } from '../ui/cn.ts';
import { toLabel, w } from '../words/en.ts';
import { ago, day, exactTime } from '../words/when.ts';

/** A claim in one line; a click opens its evidence. */
export function ClaimRow({ claim, isOpen, onOpen }: { claim: Claim; isOpen: boolean; onOpen: () => void }) {
  const { property, freshness, opposing, last_observed_at, epistemic_class, confidence } = claim;
  const isEnded = claim.status === 'ended';
  const value = isEnded ? toText(claim.history?.[0]?.value) || w.class.ended : toText(claim.value);
  const isOld = freshness === 'suspect' || freshness === 'expired';
  const [strongest] = opposing;
  const [first] = useState(value);
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        aria-current={isOpen || undefined}
        className={cn(
          'soft grid min-h-9 w-full grid-cols-[88px_minmax(0,1fr)_auto] items-center gap-3 px-5 text-left max-md:min-h-11 sm:grid-cols-[120px_minmax(0,1fr)_auto]',
          isOpen ? 'bg-accent-soft' : 'hover:bg-panel',
        )}
      >
        <span className="truncate text-xs text-quiet">{toLabel(property)}</span>
        <span className={cn('flex min-w-0 items-baseline gap-1.5 text-base', INK[freshness])}>
          {/* A value that changes while the page is open is drawn anew, so that it pulses once. */}
          <span
            key={value}
            className={cn('truncate', isEnded && 'line-through decoration-1', value !== first && 'pulse')}
          >
            {value}
          </span>
          {isEnded && (
            <span className="num shrink-0 text-quiet not-italic no-underline">
              {w.account.claimEnded(day(claim.valid_from))}
            </span>
          )}
          {!isEnded && isOld && (
            <>
              <ClockMark />
              <span className="sr-only">{w.freshness[freshness]}</span>
            </>
          )}
          {!isEnded && strongest && (
            <span className="inline-flex min-w-0 items-center gap-1 text-xs text-against not-italic">
              <ArrowLeftRight className="size-3 shrink-0" aria-hidden="true" />
              <span className="sr-only">{w.account.against}</span>
              <span className="truncate">{toText(strongest.value) || w.class.ended}</span>
            </span>
          )}
        </span>
        <span className="flex items-center gap-2.5">
          <span className="hidden text-xs text-quiet lg:inline" title={exactTime(last_observed_at)}>
            {ago(last_observed_at)}
          </span>
          <ClassGlyph kind={epistemic_class} />
          <ConfidenceBar value={confidence} />
          <span aria-hidden="true" className="num w-8 text-right">
            {confidence.toFixed(2)}
          </span>
        </span>
      </button>
    </li>
  );
}
