import { useState } from 'react';
import type { Schemas } from '../api/schemas.ts';
import { toText } from '../words/text.ts';
import { Button } from '../ui/Button.tsx';
import { cn } from '../ui/cn.ts';
import { toLabel, w } from '../words/en.ts';
import { Moment } from '../ui/Moment.tsx';

const KINDS = ['all', 'event', 'state'] as const;

/** What happened and what was stated, the newest first. */
export function Timeline({
  log,
  onMore,
}: {
  log: readonly Schemas['TimelineItem'][];
  onMore: (() => void) | undefined;
}) {
  const [kind, setKind] = useState<(typeof KINDS)[number]>('all');
  const shown = kind === 'all' ? log : log.filter(each => each.kind === kind);
  return (
    <section aria-label={w.timeline.title} className="px-5 pt-6">
      <div className="mb-2 flex items-baseline gap-3">
        <h2 className="font-semibold">{w.timeline.title}</h2>
        <div role="group" aria-label={w.timeline.show} className="ml-auto flex gap-0.5">
          {KINDS.map(each => (
            <button
              key={each}
              type="button"
              aria-pressed={kind === each}
              onClick={() => setKind(each)}
              className={cn(
                'min-h-6 rounded px-1.5 text-xs',
                kind === each ? 'bg-sunk font-medium' : 'text-quiet hover:text-ink',
              )}
            >
              {w.timeline[each]}
            </button>
          ))}
        </div>
      </div>
      {shown.length === 0 && <p className="text-quiet">{w.timeline.empty}</p>}
      <ol className="relative ml-1 border-l border-line">
        {shown.map(item => (
          <li key={item.id} className="relative grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-3 py-1 pl-4">
            <i
              aria-hidden="true"
              className={cn(
                'absolute top-2.5 -left-[4.5px] size-2 rounded-full border-[1.5px]',
                item.kind === 'event' ? 'border-accent bg-accent' : 'border-line-strong bg-paper',
              )}
            />
            <span className="truncate">
              <What item={item} /> <span className="text-xs text-quiet">{item.source}</span>
            </span>
            <Moment at={item.observed_at} />
          </li>
        ))}
      </ol>
      {onMore && (
        <Button look="quiet" className="mt-2" onClick={onMore}>
          {w.more}
        </Button>
      )}
    </section>
  );
}

function What({ item: { kind, property, type, value } }: { item: Schemas['TimelineItem'] }) {
  if (kind === 'event') {
    return (
      <>
        <b className="font-medium">{toLabel(type || property)}</b>{' '}
        <span className="text-aging">{describeEvent(value)}</span>
      </>
    );
  }
  return (
    <>
      <span className="text-quiet">{toLabel(property)}</span>{' '}
      {value === null ? <span className="italic">{w.timeline.ended}</span> : toText(value)}
    </>
  );
}

function describeEvent(value: unknown): string {
  if (typeof value !== 'object' || value === null) return toText(value);
  const { description, title, subject, text } = value as Readonly<Record<string, unknown>>;
  return toText(description ?? title ?? subject ?? text);
}
