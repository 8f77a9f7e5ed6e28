import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { w } from '../words/en.ts';
import { toText } from '../words/text.ts';
import { ago, exactTime } from '../words/when.ts';
import { PageHeader } from './PageHeader.tsx';
import { Table } from './Table.tsx';

const PAGE_EVENTS = 50;

/** Who changed what in the workspace, the newest first. */
export function AuditPage() {
  const { hub, workspace } = useWorkspace();
  const mayRead = useMay('admin');
  const log = useInfiniteQuery({
    queryKey: [workspace.id, 'audit'],
    enabled: mayRead,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      bodyOf(
        await hub.GET('/v2/workspace/audit', { signal, params: { query: { limit: PAGE_EVENTS, cursor: pageParam } } }),
      ),
    getNextPageParam: page => page.next_cursor ?? undefined,
  });
  const members = useQuery({
    queryKey: [workspace.id, 'members'],
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/workspace/members', { signal })).members,
  });
  const names = new Map(members.data?.map(({ user_id, name }) => [user_id, name]));
  const events = log.data?.pages.flatMap(page => page.events) ?? [];
  return (
    <>
      <PageHeader title={w.settings.audit} text={w.settings.auditText} />
      {!mayRead && <EmptyState title={w.settings.audit} text={w.needs.admin} />}
      {mayRead && log.isPending && <Skeleton rows={8} height={44} />}
      {log.error && <ProblemNote error={log.error} onRetry={() => void log.refetch()} />}
      {events.length > 0 && (
        <Table
          label={w.settings.audit}
          head={[w.settings.when, w.settings.actor, w.settings.action, w.settings.object, w.settings.change]}
        >
          {events.map(({ id, at, actor, action, object, before, after, address }) => (
            <tr key={id}>
              <td className="whitespace-nowrap text-quiet">
                <time dateTime={at} title={exactTime(at)}>
                  {ago(at)}
                </time>
              </td>
              <td title={address ?? undefined}>
                {names.get(actor.id) ?? (
                  <>
                    {w.settings.actorKind[actor.kind]} <span className="num text-quiet">{actor.id.slice(0, 8)}</span>
                  </>
                )}
              </td>
              <td className="font-medium whitespace-nowrap">{action}</td>
              <td>
                {object.id === null ? object.type : <CopyButton text={object.id} short={object.id.slice(0, 8)} />}
              </td>
              <td className="max-w-72 break-words text-quiet">{describeChange(before, after)}</td>
            </tr>
          ))}
        </Table>
      )}
      {log.hasNextPage && (
        <Button look="quiet" className="mt-2" onClick={() => void log.fetchNextPage()}>
          {w.timeline.more}
        </Button>
      )}
    </>
  );
}

function describeChange(before: unknown, after: unknown): string {
  const [from, to] = [before, after].map(toText);
  return [from, to].filter(Boolean).join(' → ');
}
