import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { Table } from '../ui/Table.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Moment } from '../ui/Moment.tsx';
import { toLabel } from '../words/en.ts';
import { Record, Turn } from './Record.tsx';
import { useSync } from './SyncContext.ts';

/** Every value that travelled, the newest first. */
export function Changes({ ended }: { ended: string }) {
  const { plugin, path, words } = useSync();
  const { hub, workspace } = useWorkspace();
  const log = usePages({
    queryKey: [workspace.id, 'sync', plugin, 'changes', ended],
    load: async (cursor, signal) =>
      bodyOf(await hub.GET(path('/v2/plugins/crm/changes'), { signal, params: { query: { cursor } } })),
    next: page => page.next_cursor,
  });
  const changes = log.data?.pages.flatMap(page => page.changes) ?? [];
  return (
    <div className="pb-4">
      <LoadedList
        list={log}
        isEmpty={changes.length === 0}
        empty={<EmptyState title={words.noChanges} text={words.noChangesText} level={2} />}
        height={44}
      >
        {changes.length > 0 && (
          <Table label={words.changes} head={[words.what, words.field, words.change, words.cause, words.when]}>
            {changes.map(({ at, direction, object, id, entity_id, name, field, property, before, after, cause }) => (
              <tr key={`${at}/${object}/${id}/${field}/${direction}`}>
                <td className="whitespace-nowrap">
                  <Record object={object} id={id} name={name} entityId={entity_id} />
                </td>
                <td>{toLabel(property)}</td>
                <td className="min-w-40">
                  <Turn before={before} after={after} />
                </td>
                <td className="min-w-56">
                  {words.toward[direction]}: {words.reason[cause] ?? toLabel(cause)}
                </td>
                <td className="whitespace-nowrap">
                  <Moment at={at!} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </LoadedList>
    </div>
  );
}
