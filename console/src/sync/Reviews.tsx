import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { cn } from '../ui/cn.ts';
import { Button } from '../ui/Button.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { toLabel, w } from '../words/en.ts';
import { Record } from './Record.tsx';
import type { Review } from './types.ts';
import { useRefresh } from './useRefresh.ts';
import { useSync } from './SyncContext.ts';

/** Values that differ, and that somebody decides about. */
export function Reviews({ ended }: { ended: string }) {
  const { plugin, path, words } = useSync();
  const { hub, workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const refresh = useRefresh();
  const tell = useToast();
  const list = usePages({
    queryKey: [workspace.id, 'sync', plugin, 'reviews', ended],
    load: async (cursor, signal) =>
      bodyOf(await hub.GET(path('/v2/plugins/crm/reviews'), { signal, params: { query: { cursor } } })),
    next: page => page.next_cursor,
  });
  const decide = useMutation({
    mutationFn: async ({ review, decision }: { review: Review; decision: 'write' | 'keep' }) => {
      const { object, id, field } = review;
      const params = { path: { object, id, field } };
      return bodyOf(
        await hub.POST(path('/v2/plugins/crm/reviews/{object}/{id}/{field}'), { params, body: { decision } }),
      );
    },
    onSuccess: async ({ decision }) => {
      await refresh();
      tell({ text: decision === 'write' ? words.written : words.kept });
    },
  });
  const reviews = list.data?.pages.flatMap(page => page.reviews) ?? [];
  const shared = { reason: mayWrite ? undefined : w.needs.write, disabled: decide.isPending };
  return (
    <div className="space-y-2 pb-4">
      <p className="text-quiet">{words.reviewsText}</p>
      {decide.error && <ProblemNote error={decide.error} />}
      <LoadedList list={list} isEmpty={reviews.length === 0} empty={<p>{words.noReviews}</p>} rows={2} height={64}>
        <ul className={cn('divide-y divide-line rounded-md', reviews.length > 0 && 'border border-line')}>
          {reviews.map(review => (
            <li
              key={`${review.object}/${review.id}/${review.field}`}
              className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-2.5"
            >
              <div className="min-w-40">
                <Record object={review.object} id={review.id} name={review.name} entityId={review.entity_id} />
                <p className="text-xs text-quiet">{toLabel(review.property)}</p>
              </div>
              <dl className="grid flex-1 grid-cols-[auto_1fr] gap-x-3">
                <dt className="text-quiet">{words.ours}</dt>
                <dd>{review.ours}</dd>
                <dt className="text-quiet">{words.theirs}</dt>
                <dd>{review.theirs ?? words.empty}</dd>
              </dl>
              <div className="flex gap-2">
                <Button {...shared} onClick={() => decide.mutate({ review, decision: 'write' })}>
                  {words.write}
                </Button>
                <Button {...shared} onClick={() => decide.mutate({ review, decision: 'keep' })}>
                  {words.keep}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </LoadedList>
    </div>
  );
}
