import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Unknown } from '../knowledge/marks.tsx';
import { PageHeader } from '../shell/PageHeader.tsx';
import { Button } from '../ui/Button.tsx';
import { cn } from '../ui/cn.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Moment } from '../ui/Moment.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { mergeWords } from '../words/merges.ts';
import { w } from '../words/en.ts';
import { MergePreview } from './MergePreview.tsx';
import { useMergeRefresh } from './useMergeRefresh.ts';
import { useUnmerge } from './useUnmerge.ts';

const PAGE_PROPOSALS = 50;

type Proposal = Schemas['MergeProposal'];

const route = getRouteApi('/w/$workspace/merges');

/** Identifies a proposal in the address: the two entities. */
function toPair({ entity_id, other_entity_id }: Proposal): string {
  return `${entity_id}~${other_entity_id}`;
}

/** Pairs that may be one person or company, for somebody to decide. */
export function MergesPage() {
  const { pair } = route.useSearch();
  const { hub, workspace } = useWorkspace();
  const go = useNavigate();
  const list = usePages({
    queryKey: [workspace.id, 'proposals'],
    load: async (cursor, signal) =>
      bodyOf(
        await hub.GET('/v2/entities/proposals', {
          signal,
          params: { query: { limit: PAGE_PROPOSALS, cursor } },
        }),
      ),
    next: page => page.next_cursor,
  });
  const proposals = list.data?.pages.flatMap(page => page.proposals) ?? [];
  const open = proposals.find(each => toPair(each) === pair) ?? proposals[0];
  const choose = (next: string | undefined) =>
    void go({
      to: '/w/$workspace/merges',
      params: { workspace: workspace.id },
      search: { pair: next },
      replace: true,
    });
  return (
    <div className="flex h-full flex-col">
      <PageHeader title={w.nav.merges} text={mergeWords.text} />
      <div
        className={cn(
          'min-h-0 flex-1',
          open && 'grid max-[1099px]:overflow-auto min-[1100px]:grid-cols-[minmax(0,0.8fr)_minmax(0,1.4fr)]',
        )}
      >
        <div className="min-h-0 overflow-auto" tabIndex={0} role="region" aria-label={w.nav.merges}>
          <LoadedList
            list={list}
            isEmpty={!open}
            empty={<EmptyState title={mergeWords.empty} text={mergeWords.emptyText} />}
            rows={6}
            height={60}
          >
            <ul>
              {proposals.map(proposal => (
                <li key={toPair(proposal) + proposal.key} className="border-b border-line">
                  <button
                    type="button"
                    aria-current={proposal === open || undefined}
                    onClick={() => choose(toPair(proposal))}
                    className={cn(
                      'soft block w-full px-4 py-2.5 text-left',
                      proposal === open ? 'bg-accent-soft' : 'hover:bg-panel',
                    )}
                  >
                    <span className="flex items-baseline gap-2">
                      <span className="truncate font-medium">{proposal.entity_name ?? <Unknown />}</span>
                      <span className="text-quiet">{mergeWords.and}</span>
                      <span className="truncate font-medium">{proposal.other_entity_name ?? <Unknown />}</span>
                      <Moment at={proposal.created_at} className="ml-auto shrink-0" />
                    </span>
                    <span className="block truncate text-quiet">
                      {mergeWords.kind[proposal.kind]}: {proposal.value}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </LoadedList>
        </div>
        {open && (
          <section
            className="min-h-0 overflow-auto border-line bg-panel min-[1100px]:border-l"
            tabIndex={0}
            aria-label={mergeWords.decide}
          >
            <Decision key={toPair(open)} proposal={open} onDecided={() => choose(undefined)} />
          </section>
        )}
      </div>
    </div>
  );
}

function Decision({ proposal, onDecided }: { proposal: Proposal; onDecided: () => void }) {
  const { hub, workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const tell = useToast();
  const body = { a: proposal.entity_id, b: proposal.other_entity_id };
  const refresh = useMergeRefresh();
  const undo = useUnmerge();
  const merge = useMutation({
    mutationFn: () => hub.POST('/v2/entities/merge', { body: { ...body, reason: mergeWords.mergeReason } }),
    onSuccess: async () => {
      onDecided();
      await refresh();
      tell({ text: mergeWords.merged, undo: { label: w.undo, run: () => undo.mutate(body) } });
    },
  });
  const decline = useMutation({
    mutationFn: () => hub.POST('/v2/entities/unmerge', { body: { ...body, reason: mergeWords.declineReason } }),
    onSuccess: async () => {
      onDecided();
      await refresh();
      tell({ text: mergeWords.declined });
    },
  });
  const error = merge.error ?? decline.error;
  const reason = mayWrite ? undefined : w.needs.write;
  const isBusy = merge.isPending || decline.isPending;
  return (
    <div className="space-y-5 p-5">
      <header className="space-y-2">
        <h2 className="text-lg font-semibold">{mergeWords.question}</h2>
        <Why proposal={proposal} />
        <div className="flex flex-wrap gap-2">
          <Button look="main" reason={reason} disabled={isBusy} onClick={() => merge.mutate()}>
            {mergeWords.merge}
          </Button>
          <Button reason={reason} disabled={isBusy} onClick={() => decline.mutate()}>
            {mergeWords.decline}
          </Button>
        </div>
        <p className="text-quiet">{mergeWords.undoable}</p>
        {error && <ProblemNote error={error} />}
      </header>
      <MergePreview a={body.a} b={body.b} />
      <p className="flex gap-4">
        {[body.a, body.b].map((id, index) => (
          <Link
            key={id}
            to="/w/$workspace/accounts/$id"
            params={{ workspace: workspace.id, id }}
            className="font-medium text-accent underline underline-offset-2"
          >
            {mergeWords.open(index === 0 ? proposal.entity_name : proposal.other_entity_name)}
          </Link>
        ))}
      </p>
    </div>
  );
}

/** Why the two may be one, and what speaks against it. */
function Why({ proposal: { kind, value, guards, score, parts } }: { proposal: Proposal }) {
  return (
    <div className="space-y-1">
      <p>
        {mergeWords.kind[kind]}: {value}
        {score !== null && <span className="num ml-2">{mergeWords.probability(score)}</span>}
      </p>
      {guards.length > 0 && (
        <ul className="list-disc pl-5 text-against">
          {guards.map(guard => (
            <li key={guard}>{mergeWords.guard[guard]}</li>
          ))}
        </ul>
      )}
      {parts && (
        <ul className="flex flex-wrap gap-1.5">
          {parts.map(({ field, agreement, weight }) => (
            <li
              key={field}
              className={cn(
                'rounded-md border px-2 py-0.5 text-xs',
                weight >= 0 ? 'border-for/40 text-for' : 'border-against/40 text-against',
              )}
            >
              {field}: {agreement}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
