import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { bodyOf, HubError } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { useIntegrations } from '../integrations/useIntegrations.ts';
import { isUnfinished } from '../runs/types.ts';
import { ProblemPage } from '../shell/DetailHeader.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { w } from '../words/en.ts';
import { nameProvider, toSyncWords } from '../words/sync.ts';
import { Fields } from './Fields.tsx';
import { type Sync, SyncContext, toPluginPath, useSync } from './SyncContext.ts';
import { SyncState } from './SyncState.tsx';

const REFRESH_MS = 1_500;
/** A running sync, the last one and the last dry run are among them. */
const RUNS = 10;

const route = getRouteApi('/w/$workspace/integrations/$plugin');

/** The sync of an integration, or the fields that it keeps in agreement. Integrations without a sync are shown in their list. */
export function SyncPage() {
  const { workspace } = useWorkspace();
  const { plugin } = route.useParams();
  const { fields } = route.useSearch();
  const integrations = useIntegrations();
  const integration = integrations.data?.find(({ provider }) => provider === plugin);
  const sync = useMemo(
    (): Sync => ({
      plugin,
      title: integration?.display_name ?? plugin,
      words: toSyncWords(),
      parts: new Set(integration?.sync_page?.parts),
      panels: integration?.panels.filter(({ slot }) => slot === 'integration') ?? [],
      path: toPluginPath(plugin),
    }),
    [plugin, integration],
  );
  if (integrations.error)
    return <ProblemPage title={plugin} error={integrations.error} onRetry={() => void integrations.refetch()} />;
  if (!integrations.data) return <Skeleton rows={10} />;
  if (!integration?.sync_page)
    return <Navigate to="/w/$workspace/integrations" params={{ workspace: workspace.id }} search={{ open: plugin }} />;
  return (
    <SyncContext value={sync}>
      {fields && sync.parts.has('fields') ? <Fields object={fields} /> : <Loaded />}
    </SyncContext>
  );
}

/** Reads what the sync did, what it would do, what waits for somebody, and each value that travelled. */
function Loaded() {
  const { hub, workspace } = useWorkspace();
  const sync = useSync();
  const { plugin, path, title } = sync;
  const runs = useQuery({
    queryKey: [workspace.id, 'sync', plugin, 'runs'],
    queryFn: async ({ signal }) =>
      bodyOf(
        await hub.GET('/v2/plugins/{plugin}/runs', {
          signal,
          params: { path: { plugin }, query: { name: 'sync', limit: RUNS } },
        }),
      ).runs,
    refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? REFRESH_MS : false),
  });
  const newest = runs.data?.[0];
  const status = useQuery({
    // What a run has changed is read again when it has ended.
    queryKey: [workspace.id, 'sync', plugin, 'status', newest?.id, newest?.status],
    queryFn: async ({ signal }) => bodyOf(await hub.GET(path('/v2/plugins/crm/status'), { signal })),
    enabled: runs.isSuccess,
  });
  const provider = status.data?.provider;
  const named = useMemo(
    () => (provider === undefined ? sync : { ...sync, words: toSyncWords(nameProvider(provider)) }),
    [sync, provider],
  );
  const error = runs.error ?? status.error;
  // 404: the plan does not include it, or it is not installed. 409: it is not connected.
  if (error instanceof HubError && (error.status === 404 || error.status === 409)) return <NotConnected />;
  if (error) return <ProblemPage title={title} error={error} onRetry={() => void runs.refetch()} />;
  if (!runs.data || !status.data) return <Skeleton rows={10} />;
  return (
    <SyncContext value={named}>
      <SyncState status={status.data} runs={runs.data} />
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
