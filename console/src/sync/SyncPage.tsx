import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { bodyOf, HubError } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { isUnfinished } from '../runs/types.ts';
import { ProblemPage } from '../shell/DetailHeader.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { w } from '../words/en.ts';
import { nameProvider, toSyncWords } from '../words/sync.ts';
import { Fields } from './Fields.tsx';
import { LockedSync } from './LockedSync.tsx';
import { type Sync, SyncContext, toPluginPath, useSync } from './SyncContext.ts';
import { SyncState } from './SyncState.tsx';
import type { SyncRun } from './types.ts';

const REFRESH_MS = 1_500;

const route = getRouteApi('/w/$workspace/integrations/$plugin');

/** The sync of an integration, or the fields that it keeps in agreement. Integrations without a sync are shown in their list. */
export function SyncPage() {
  const { hub, workspace } = useWorkspace();
  const { plugin } = route.useParams();
  const { fields } = route.useSearch();
  const { data, error, refetch } = useQuery({
    queryKey: [workspace.id, 'sync', plugin, 'integration'],
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET('/v2/workspace/integrations/{plugin}', { signal, params: { path: { plugin } } })),
    refetchInterval: ({ state }) => (state.data?.runs.some(isUnfinished) ? REFRESH_MS : false),
  });
  const sync = useMemo(
    (): Sync | undefined =>
      data && {
        plugin,
        title: data.display_name,
        words: toSyncWords(),
        parts: new Set(data.sync_page?.parts),
        panels: data.panels.filter(({ slot }) => slot === 'integration'),
        connection: data.connection,
        path: toPluginPath(plugin),
      },
    [plugin, data],
  );
  const isUnknown = error instanceof HubError && error.status === 404;
  if (error && !isUnknown) return <ProblemPage title={plugin} error={error} onRetry={() => void refetch()} />;
  if (!sync && !isUnknown) return <Skeleton rows={10} />;
  if (!sync || !data?.sync_page)
    return <Navigate to="/w/$workspace/integrations" params={{ workspace: workspace.id }} search={{ open: plugin }} />;
  if (data.state === 'locked' && data.connection === null)
    return (
      <SyncContext value={sync}>
        <LockedSync integration={data} />
      </SyncContext>
    );
  return (
    <SyncContext value={sync}>
      {fields && sync.parts.has('fields') ? (
        <Fields object={fields} />
      ) : (
        <Loaded runs={data.runs.filter(({ name }) => name === 'sync')} />
      )}
    </SyncContext>
  );
}

/** Reads what the sync did, and what it would do. */
function Loaded({ runs }: { runs: readonly SyncRun[] }) {
  const { hub, workspace } = useWorkspace();
  const sync = useSync();
  const { plugin, path, title, connection } = sync;
  const [newest] = runs;
  const { data, error, refetch } = useQuery({
    // What a run has changed is read again when it has ended.
    queryKey: [workspace.id, 'sync', plugin, 'status', newest?.id, newest?.status],
    queryFn: async ({ signal }) => bodyOf(await hub.GET(path('/v2/plugins/crm/status'), { signal })),
    enabled: connection !== null,
  });
  const provider = data?.provider;
  const named = useMemo(
    () => (provider === undefined ? sync : { ...sync, words: toSyncWords(nameProvider(provider)) }),
    [sync, provider],
  );
  // 404: the plan does not include it, or it is not installed. 409: it was disconnected meanwhile.
  const isGone = error instanceof HubError && (error.status === 404 || error.status === 409);
  if (connection === null || isGone) return <NotConnected />;
  if (error) return <ProblemPage title={title} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={10} />;
  return (
    <SyncContext value={named}>
      <SyncState status={data} runs={runs} />
    </SyncContext>
  );
}

function NotConnected() {
  const { workspace } = useWorkspace();
  const { plugin, title, words } = useSync();
  return (
    <EmptyState title={words.notConnected(title)} text={words.notConnectedText} level={1}>
      <Link
        to="/w/$workspace/integrations"
        params={{ workspace: workspace.id }}
        search={{ open: plugin }}
        className="text-accent underline"
      >
        {w.nav.integrations}
      </Link>
    </EmptyState>
  );
}
