import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { ClassGlyph, ClockMark, ConfidenceBar, INK } from '../knowledge/marks.tsx';
import type { Claim } from '../knowledge/types.ts';
import { cn } from '../ui/cn.ts';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { toLabel, w } from '../words/en.ts';
import { listWords as words } from '../words/lists.ts';
import { toText } from '../words/text.ts';

/** One account at a glance, beside the list that it stands in. */
export default function Peek({ id, onClose }: { id: string; onClose: () => void }) {
  const { hub, workspace } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: [workspace.id, 'account', id, 'glance'],
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET('/v2/accounts/{id}', { signal, params: { path: { id }, query: { limit: 1 } } })),
  });
  const account = data && 'claims' in data ? data : undefined;
  const name = account && (account.name ?? account.identifiers[0]?.value ?? w.account.noName);
  return (
    <aside aria-label={words.peek} className="flex min-h-0 flex-col border-t border-l border-line bg-panel">
      <header className="flex items-start gap-3 px-4 pt-3 pb-2">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-base font-semibold">{name ?? w.loading}</h2>
          {account && (
            <p className="truncate text-xs text-quiet">
              {account.identifiers.map(({ value }) => value.replace(/^https?:\/\/(?:www\.)?/, '')).join(' · ')}
            </p>
          )}
        </div>
        <button
          type="button"
          onClick={onClose}
          aria-label={words.closePeek}
          className="soft grid size-7 shrink-0 place-items-center rounded-md hover:bg-sunk"
        >
          <X className="size-4" aria-hidden="true" />
        </button>
      </header>
      <div className="min-h-0 flex-1 overflow-auto pb-3" tabIndex={0} role="region" aria-label={words.peek}>
        {error && (
          <div className="p-4">
            <ProblemNote error={error} onRetry={() => void refetch()} />
          </div>
        )}
        {!data && !error && <Skeleton rows={8} />}
        {account && <Claims claims={Array.isArray(account.claims) ? account.claims : Object.values(account.claims)} />}
      </div>
      <Link
        to="/w/$workspace/accounts/$id"
        params={{ workspace: workspace.id, id }}
        className="border-t border-line px-4 py-2.5 font-medium text-accent hover:underline"
      >
        {words.open}
      </Link>
    </aside>
  );
}

function Claims({ claims }: { claims: readonly Claim[] }) {
  const current = claims
    .filter(({ status }) => status === 'current')
    .toSorted((a, b) => b.opposing.length - a.opposing.length || b.confidence - a.confidence);
  if (current.length === 0) return <p className="px-4 py-2 text-quiet">{words.noClaims}</p>;
  return (
    <dl>
      {current.map(({ property, value, freshness, confidence, epistemic_class }) => (
        <div key={property} className="grid grid-cols-[96px_minmax(0,1fr)_auto] items-center gap-2 px-4 py-1.5">
          <dt className="truncate text-xs text-quiet">{toLabel(property)}</dt>
          <dd className={cn('flex min-w-0 items-baseline gap-1.5', INK[freshness])}>
            <span className="truncate">{toText(value)}</span>
            {(freshness === 'suspect' || freshness === 'expired') && (
              <>
                <ClockMark />
                <span className="sr-only">{w.freshness[freshness]}</span>
              </>
            )}
          </dd>
          <dd className="flex items-center gap-2">
            <ClassGlyph kind={epistemic_class} />
            <ConfidenceBar value={confidence} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
