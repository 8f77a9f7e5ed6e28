import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Moment } from '../ui/Moment.tsx';
import { w } from '../words/en.ts';
import { settingsWords } from '../words/settings.ts';
import { toText } from '../words/text.ts';
import { AuditFilter } from './AuditFilter.tsx';
import { toAuditQuery } from './auditSearch.ts';
import { SettingsHeader } from './SettingsHeader.tsx';
import { Table } from '../ui/Table.tsx';

const PAGE_EVENTS = 50;
const NOBODY: readonly never[] = [];

const route = getRouteApi('/w/$workspace/settings/audit');

/** Who changed what in the workspace, the newest first. */
export function AuditPage() {
  const { hub, workspace } = useWorkspace();
  const mayRead = useMay('admin');
  const search = route.useSearch();
  const query = toAuditQuery(search);
  const log = usePages({
    queryKey: [workspace.id, 'audit', query],
    enabled: mayRead,
    load: async (cursor, signal) => {
      const params = { query: { ...query, limit: PAGE_EVENTS, cursor } };
      return bodyOf(await hub.GET('/v2/workspace/audit', { signal, params }));
    },
    next: page => page.next_cursor,
  });
  const members = useQuery({
    queryKey: [workspace.id, 'members'],
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/workspace/members', { signal })).members,
  });
  const names = new Map(members.data?.map(({ user_id, name }) => [user_id, name]));
  const events = log.data?.pages.flatMap(page => page.events) ?? [];
  return (
    <>
      <SettingsHeader title={settingsWords.audit} text={settingsWords.auditText} />
      {mayRead && <AuditFilter search={search} members={members.data ?? NOBODY} />}
      {mayRead ? (
        <LoadedList
          list={log}
          isEmpty={events.length === 0}
          empty={<EmptyState title={settingsWords.noEvents} text={settingsWords.noEventsText} level={2} />}
          height={44}
        >
          {events.length > 0 && (
            <Table
              label={settingsWords.audit}
              head={[
                settingsWords.when,
                settingsWords.actor,
                settingsWords.action,
                settingsWords.object,
                settingsWords.change,
              ]}
            >
              {events.map(({ id, at, actor, action, object, before, after, address }) => (
                <tr key={id}>
                  <td className="whitespace-nowrap text-quiet">
                    <Moment at={at} />
                  </td>
                  <td title={address ?? undefined}>
                    {names.get(actor.id) ?? (
                      <>
                        {settingsWords.actorKind[actor.kind]}{' '}
                        <span className="num text-quiet">{actor.id.slice(0, 8)}</span>
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
        </LoadedList>
      ) : (
        <EmptyState title={settingsWords.audit} text={w.needs.admin} />
      )}
    </>
  );
}

function describeChange(before: unknown, after: unknown): string {
  const [from, to] = [before, after].map(toText);
  return [from, to].filter(Boolean).join(' → ');
}
