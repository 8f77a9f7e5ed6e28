import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { DetailHeader, ProblemPage } from '../shell/DetailHeader.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Moment } from '../ui/Moment.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { triggerWords } from '../words/triggers.ts';
import { w } from '../words/en.ts';
import { DeliveryDetails } from './DeliveryDetails.tsx';
import { StateWord } from './TriggerState.tsx';

/** How often a delivery is read again while it waits, in milliseconds. */
const REFRESH_MS = 2_000;

const route = getRouteApi('/w/$workspace/triggers/$id/deliveries/$delivery');

/** One delivery, under an address that can be shared. */
export function DeliveryPage() {
  const path = route.useParams();
  const { hub, workspace } = useWorkspace();
  const maySet = useMay('settings');
  const queries = useQueryClient();
  const params = { path: { id: path.id, delivery: path.delivery } };
  const queryKey = [workspace.id, 'triggers', path.id, 'deliveries', path.delivery];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET('/v2/workspace/triggers/{id}/deliveries/{delivery}', { signal, params })).delivery,
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? REFRESH_MS : false),
  });
  const retry = useMutation({
    mutationFn: () => hub.POST('/v2/workspace/triggers/{id}/deliveries/{delivery}/retry', { params }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  if (error) return <ProblemPage title={triggerWords.delivery} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={6} />;
  return (
    <div className="flex h-full flex-col">
      <DetailHeader
        list="triggers"
        name={data.event}
        beside={<StateWord state={data.state} label={triggerWords.deliveryState[data.state]} />}
      >
        <p className="flex flex-wrap items-center gap-3">
          <Moment at={data.created_at} />
          <CopyButton text={data.id} short={data.id.slice(0, 8)} />
          <Link
            to="/w/$workspace/triggers/$id"
            params={{ workspace: workspace.id, id: path.id }}
            className="text-accent underline underline-offset-2"
          >
            {triggerWords.allDeliveries}
          </Link>
        </p>
      </DetailHeader>
      <div
        className="min-h-0 flex-1 space-y-3 overflow-auto p-5"
        tabIndex={0}
        role="region"
        aria-label={triggerWords.delivery}
      >
        <DeliveryDetails delivery={data} />
        <Button
          reason={maySet ? undefined : w.needs.settings}
          disabled={retry.isPending || data.state === 'waiting'}
          onClick={() => retry.mutate()}
        >
          {triggerWords.retry}
        </Button>
        {retry.error && <ProblemNote error={retry.error} />}
      </div>
    </div>
  );
}
