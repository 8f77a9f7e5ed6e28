import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { DetailHeader, ProblemPage } from '../shell/DetailHeader.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmByName } from '../ui/ConfirmByName.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Moment } from '../ui/Moment.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { triggerWords } from '../words/triggers.ts';
import { w } from '../words/en.ts';
import { DeliveryDetails } from './DeliveryDetails.tsx';
import { DeliveryStrip } from './DeliveryStrip.tsx';
import { Recover } from './Recover.tsx';
import { StateWord, TriggerState } from './TriggerState.tsx';

const PAGE_DELIVERIES = 50;
/** How often deliveries are read again while some are waiting, in milliseconds. */
const REFRESH_MS = 2_000;
/** How long they are read again after one was sent again, which the log shows a moment later, in milliseconds. */
const SENDING_MS = 10_000;

type Trigger = Schemas['Trigger'];

const route = getRouteApi('/w/$workspace/triggers/$id');

/** One webhook endpoint with the log of its deliveries. */
export function TriggerPage() {
  const { id } = route.useParams();
  const { hub, workspace } = useWorkspace();
  const trigger = useQuery({
    queryKey: [workspace.id, 'triggers', id],
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET('/v2/workspace/triggers/{id}', { signal, params: { path: { id } } })).trigger,
  });
  if (trigger.error) {
    return <ProblemPage title={w.nav.triggers} error={trigger.error} onRetry={() => void trigger.refetch()} />;
  }
  if (!trigger.data) return <Skeleton rows={6} />;
  const name = trigger.data.name ?? trigger.data.url;
  return (
    <div className="flex h-full flex-col">
      <DetailHeader list="triggers" name={name} beside={<TriggerState trigger={trigger.data} />}>
        <p className="flex flex-wrap items-center gap-2">
          <CopyButton text={trigger.data.url} /> <span className="text-quiet">{trigger.data.events.join(', ')}</span>
        </p>
        {(trigger.data.reason ?? trigger.data.warning) !== null && (
          <p className="text-against">{trigger.data.reason ?? trigger.data.warning}</p>
        )}
        <Actions trigger={trigger.data} name={name} />
      </DetailHeader>
      <Deliveries id={id} />
    </div>
  );
}

function Actions({ trigger: { id, active, state }, name }: { trigger: Trigger; name: string }) {
  const [isRemoving, setRemoving] = useState(false);
  const { hub, workspace } = useWorkspace();
  const maySet = useMay('settings');
  const queries = useQueryClient();
  const tell = useToast();
  const go = useNavigate();
  const params = { path: { id } };
  const refresh = () => queries.invalidateQueries({ queryKey: [workspace.id, 'triggers'] });
  const switchTo = useMutation({
    mutationFn: (on: boolean) => hub.PATCH('/v2/workspace/triggers/{id}', { params, body: { active: on } }),
    onSuccess: refresh,
  });
  const test = useMutation({
    mutationFn: async () => bodyOf(await hub.POST('/v2/workspace/triggers/{id}/test', { params, body: {} })),
    onSuccess: async ({ delivered }) => {
      await refresh();
      tell({ text: delivered ? triggerWords.testDelivered : triggerWords.testFailed });
    },
  });
  const remove = useMutation({
    mutationFn: () => hub.DELETE('/v2/workspace/triggers/{id}', { params }),
    onSuccess: async () => {
      // First away from the page: what it shows is not there to be read again.
      await go({ to: '/w/$workspace/triggers', params: { workspace: workspace.id } });
      queries.removeQueries({ queryKey: [workspace.id, 'triggers', id] });
      await refresh();
    },
  });
  const rotate = useMutation({
    mutationFn: async () => bodyOf(await hub.POST('/v2/workspace/triggers/{id}/rotate-secret', { params, body: {} })),
  });
  const error = switchTo.error ?? test.error ?? rotate.error;
  const reason = maySet ? undefined : w.needs.settings;
  const isOn = active && state !== 'disabled';
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap gap-2">
        <Button reason={reason} disabled={test.isPending} onClick={() => test.mutate()}>
          {triggerWords.test}
        </Button>
        <Button reason={reason} disabled={switchTo.isPending} onClick={() => switchTo.mutate(!isOn)}>
          {isOn ? triggerWords.pause : triggerWords.resume}
        </Button>
        <Button reason={reason} disabled={rotate.isPending} onClick={() => rotate.mutate()}>
          {triggerWords.rotate}
        </Button>
        <Recover id={id} />
        <Button look="danger" reason={reason} onClick={() => setRemoving(true)}>
          {triggerWords.remove}
        </Button>
      </div>
      {rotate.data && (
        <p className="flex flex-wrap items-center gap-2">
          {triggerWords.secretOnce} <CopyButton text={rotate.data.secret} />
        </p>
      )}
      {error && <ProblemNote error={error} />}
      {isRemoving && (
        <ConfirmByName
          title={triggerWords.removeTitle(name)}
          text={triggerWords.removeText(name)}
          name={name}
          action={triggerWords.remove}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setRemoving(false)}
        />
      )}
    </div>
  );
}

function Deliveries({ id }: { id: string }) {
  const { hub, workspace } = useWorkspace();
  const maySet = useMay('settings');
  const queries = useQueryClient();
  const queryKey = [workspace.id, 'triggers', id, 'deliveries'];
  const sendingUntil = useRef(0);
  const log = usePages({
    queryKey,
    load: async (cursor, signal) =>
      bodyOf(
        await hub.GET('/v2/workspace/triggers/{id}/deliveries', {
          signal,
          params: { path: { id }, query: { limit: PAGE_DELIVERIES, cursor } },
        }),
      ),
    next: page => page.next_cursor,
    refetchInterval: ({ state }) => {
      const isWaiting = state.data?.pages.some(page => page.deliveries.some(each => each.state === 'waiting'));
      return isWaiting || Date.now() < sendingUntil.current ? REFRESH_MS : false;
    },
  });
  const retry = useMutation({
    mutationFn: (delivery: string) =>
      hub.POST('/v2/workspace/triggers/{id}/deliveries/{delivery}/retry', { params: { path: { id, delivery } } }),
    onSuccess: () => {
      sendingUntil.current = Date.now() + SENDING_MS;
      return queries.invalidateQueries({ queryKey });
    },
  });
  const deliveries = log.data?.pages.flatMap(page => page.deliveries) ?? [];
  return (
    <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={triggerWords.deliveries}>
      {retry.error && (
        <div className="p-4">
          <ProblemNote error={retry.error} />
        </div>
      )}
      <LoadedList
        list={log}
        isEmpty={deliveries.length === 0}
        empty={<EmptyState title={triggerWords.noDeliveries} text={triggerWords.noDeliveriesText} />}
        rows={6}
        height={44}
      >
        {deliveries.length > 1 && <DeliveryStrip deliveries={deliveries} />}
        <ul>
          {deliveries.map(delivery => (
            <li key={delivery.id} className="border-b border-line">
              <details>
                <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-3 px-5 py-1.5 hover:bg-panel">
                  <StateWord state={delivery.state} label={triggerWords.deliveryState[delivery.state]} />
                  <span className="num">{delivery.event}</span>
                  <span className="text-quiet">{triggerWords.attempts(delivery.attempts.length)}</span>
                  <Moment at={delivery.created_at} className="ml-auto" />
                </summary>
                <div className="space-y-3 px-5 pb-4">
                  <DeliveryDetails delivery={delivery} />
                  <div className="flex flex-wrap items-center gap-4">
                    <Button
                      reason={maySet ? undefined : w.needs.settings}
                      disabled={retry.isPending || delivery.state === 'waiting'}
                      onClick={() => retry.mutate(delivery.id)}
                    >
                      {triggerWords.retry}
                    </Button>
                    <Link
                      to="/w/$workspace/triggers/$id/deliveries/$delivery"
                      params={{ workspace: workspace.id, id, delivery: delivery.id }}
                      className="text-accent underline underline-offset-2"
                    >
                      {triggerWords.openDelivery}
                    </Link>
                  </div>
                </div>
              </details>
            </li>
          ))}
        </ul>
      </LoadedList>
    </div>
  );
}
