import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bodyOf, createHub } from '../api/client.ts';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { settingsWords } from '../words/settings.ts';
import { ago, exactTime } from '../words/when.ts';
import { SettingsHeader } from './SettingsHeader.tsx';
import { Table } from '../ui/Table.tsx';

/** The browsers in which the person is signed in. */
export function SessionsPage() {
  const queries = useQueryClient();
  const tell = useToast();
  const list = useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => bodyOf(await createHub().GET('/auth/sessions', { signal })).sessions,
  });
  const end = useMutation({
    mutationFn: async (id: string | undefined) =>
      bodyOf(
        id === undefined
          ? await createHub().DELETE('/auth/sessions')
          : await createHub().DELETE('/auth/sessions/{id}', { params: { path: { id } } }),
      ),
    onSuccess: async ({ ended }) => {
      await queries.invalidateQueries({ queryKey: ['sessions'] });
      tell({ text: settingsWords.ended(ended) });
    },
  });
  const others = list.data?.filter(({ current }) => !current).length ?? 0;
  return (
    <>
      <SettingsHeader title={settingsWords.sessions} text={settingsWords.sessionsText}>
        <Button disabled={others === 0 || end.isPending} onClick={() => end.mutate(undefined)}>
          {settingsWords.endOthers}
        </Button>
      </SettingsHeader>
      {list.isPending && <Skeleton rows={2} height={44} />}
      {(list.error ?? end.error) && <ProblemNote error={(list.error ?? end.error)!} />}
      {list.data && (
        <Table
          label={settingsWords.sessions}
          head={[settingsWords.browser, settingsWords.address, settingsWords.lastSeen, settingsWords.expires, '']}
        >
          {list.data.map(({ id, client, address, last_seen_at, expires_at, current }) => (
            <tr key={id}>
              <td className="max-w-64 truncate" title={client ?? undefined}>
                {client ?? w.unknown}
              </td>
              <td className="num">{address ?? w.unknown}</td>
              <td className="whitespace-nowrap text-quiet" title={exactTime(last_seen_at)}>
                {current ? settingsWords.current : ago(last_seen_at)}
              </td>
              <td className="whitespace-nowrap text-quiet">{ago(expires_at)}</td>
              <td className="text-right">
                {!current && (
                  <Button look="quiet" disabled={end.isPending} onClick={() => end.mutate(id)}>
                    {settingsWords.end}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
