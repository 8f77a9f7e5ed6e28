import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { useUnmerge } from '../merges/useUnmerge.ts';
import { Button } from '../ui/Button.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import { Moment } from '../ui/Moment.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { accountWords as words } from '../words/account.ts';
import { w } from '../words/en.ts';
import { MergeDialog } from './MergeDialog.tsx';

/** With what the account was merged, from what it was told apart, and the way to either. */
export function Links({ id, name }: { id: string; name: string }) {
  const mayWrite = useMay('write');
  const [isMerging, setMerging] = useState(false);
  return (
    <section aria-label={words.links} className="px-5 pt-6">
      <Disclosure title={words.links}>
        <div className="space-y-3 pb-3">
          <Decisions id={id} />
          <Button reason={mayWrite ? undefined : w.needs.write} onClick={() => setMerging(true)}>
            {words.mergeWith}
          </Button>
        </div>
      </Disclosure>
      {isMerging && <MergeDialog id={id} name={name} onClose={() => setMerging(false)} />}
    </section>
  );
}

function Decisions({ id }: { id: string }) {
  const { hub, workspace } = useWorkspace();
  const links = useQuery({
    queryKey: [workspace.id, 'links', id],
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET('/v2/entities/{id}/links', { signal, params: { path: { id } } })),
  });
  if (links.isPending) return <Skeleton rows={2} height={36} />;
  if (links.error) return <ProblemNote error={links.error} onRetry={() => void links.refetch()} />;
  const { links: decisions, proposals } = links.data;
  return (
    <>
      {proposals.length > 0 && (
        <p>
          <Link
            to="/w/$workspace/merges"
            params={{ workspace: workspace.id }}
            className="text-accent underline underline-offset-2"
          >
            {words.proposals(proposals.length)}
          </Link>
        </p>
      )}
      {decisions.length === 0 && <p className="text-quiet">{words.noLinks}</p>}
      <ul className="divide-y divide-line">
        {decisions.map(link => (
          <Decision key={link.id} link={link} />
        ))}
      </ul>
    </>
  );
}

function Decision({ link: { kind, a, b, source, reason, created_at, retracted_at } }: { link: Schemas['EntityLink'] }) {
  const mayWrite = useMay('write');
  const unmerge = useUnmerge();
  const isMerge = kind === 'same_as' && retracted_at === null;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className={retracted_at === null ? 'font-medium' : 'text-quiet line-through'}>{words.linkKind[kind]}</span>
      <span className="min-w-0 flex-1 truncate text-quiet">{[source, reason].filter(Boolean).join(': ')}</span>
      <Moment at={created_at} />
      {isMerge && (
        <Button
          reason={mayWrite ? undefined : w.needs.write}
          disabled={unmerge.isPending}
          onClick={() => unmerge.mutate({ a, b })}
        >
          {words.unmerge}
        </Button>
      )}
      {unmerge.error && (
        <div className="basis-full">
          <ProblemNote error={unmerge.error} />
        </div>
      )}
    </li>
  );
}
