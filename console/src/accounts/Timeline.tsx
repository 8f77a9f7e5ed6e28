import { useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import type { ShownMoment } from '../knowledge/types.ts';
import { toText } from '../words/text.ts';
import { Button } from '../ui/Button.tsx';
import { Choices } from '../ui/Choices.tsx';
import { cn } from '../ui/cn.ts';
import { toLabel, w } from '../words/en.ts';
import { Moment } from '../ui/Moment.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';

/** Rows of a timeline that are loaded at once. */
export const TIMELINE_ROWS = 100;

const KINDS = ['all', 'event', 'state'] as const;
type Kind = (typeof KINDS)[number];

/** What happened and what was stated, the newest first. The account has the first rows; others are loaded when wanted. */
export function Timeline({ account, moment }: { account: Schemas['Account']; moment: ShownMoment }) {
  const [kind, setKind] = useState<Kind>('all');
  const [isLonger, setLonger] = useState(false);
  const first = kind === 'all' ? (account.recent_observations ?? []) : [];
  const isLoaded = kind !== 'all' || (isLonger && account.next_cursor !== null);
  const pages = useTimeline(account, { kind, moment, isLoaded });
  const shown = [...first, ...(pages.data?.pages.flatMap(({ observations }) => observations) ?? [])];
  const hasMore = isLoaded ? pages.hasNextPage : account.next_cursor !== null;
  const more = () => (isLoaded ? void pages.fetchNextPage() : setLonger(true));
  return (
    <section aria-label={w.timeline.title} className="px-5 pt-6">
      <div className="mb-2 flex items-baseline gap-3">
        <h2 className="font-semibold">{w.timeline.title}</h2>
        <Choices
          label={w.timeline.show}
          values={KINDS}
          chosen={kind}
          nameOf={each => w.timeline[each]}
          onChoose={setKind}
          className="ml-auto"
        />
      </div>
      {shown.length === 0 && !pages.isLoading && <p className="text-quiet">{w.timeline.empty}</p>}
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
      {pages.isFetching && <Skeleton rows={3} />}
      {pages.error && <ProblemNote error={pages.error} onRetry={() => void pages.refetch()} />}
      {hasMore && (
        <Button look="quiet" className="mt-2" disabled={pages.isFetching} onClick={more}>
          {w.more}
        </Button>
      )}
    </section>
  );
}

/** Loads the rows of a timeline that the account does not have: later ones, or those of one kind. */
function useTimeline(
  { entity_id: id, next_cursor: later }: Schemas['Account'],
  { kind, moment: { as_of, known_at }, isLoaded }: { kind: Kind; moment: ShownMoment; isLoaded: boolean },
) {
  const { hub, workspace } = useWorkspace();
  const start = kind === 'all' ? (later ?? undefined) : undefined;
  return usePages({
    queryKey: [workspace.id, 'timeline', id, as_of, known_at, kind, start],
    enabled: isLoaded,
    load: async (cursor = start, signal): Promise<Schemas['TimelinePage']> => {
      const query = {
        limit: TIMELINE_ROWS,
        cursor,
        kind: kind === 'all' ? undefined : kind,
        until: as_of === undefined ? undefined : justAfter(as_of),
        known_at,
      };
      return bodyOf(await hub.GET('/v2/accounts/{id}/timeline', { signal, params: { path: { id }, query } }));
    },
    next: page => page.next_cursor,
  });
}

/** `until` leaves out what happened at that very time, and `as_of` does not. */
function justAfter(time: string): string {
  return new Date(Date.parse(time) + 1).toISOString();
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
