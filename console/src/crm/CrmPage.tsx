import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { bodyOf, HubError } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { DetailHeader, ProblemPage } from '../shell/DetailHeader.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Moment } from '../ui/Moment.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { crmWords } from '../words/crm.ts';
import { w } from '../words/en.ts';
import { Changes } from './Changes.tsx';
import { Counts } from './Counts.tsx';
import { DryRun } from './DryRun.tsx';
import { Fields } from './Fields.tsx';
import { MassChangeNote } from './MassChangeNote.tsx';
import { Reviews } from './Reviews.tsx';
import { RunNote } from '../runs/RunNote.tsx';
import { StartButtons } from './StartButtons.tsx';
import { isUnfinished } from '../runs/types.ts';
import { type CrmStatus, readResult, type SyncRun } from './types.ts';
import { useRefresh } from './useRefresh.ts';

const REFRESH_MS = 1_500;
/** A running sync, the last one and the last dry run are among them. */
const RUNS = 10;

const route = getRouteApi('/w/$workspace/integrations/crm');

/** The sync with the CRM, or the fields that it keeps in agreement. */
export function CrmPage() {
  const { fields } = route.useSearch();
  return fields ? <Fields object={fields} /> : <SyncPage />;
}

/** What the sync did, what it would do, what waits for somebody, and each value that travelled. */
function SyncPage() {
  const { hub, workspace } = useWorkspace();
  const runs = useQuery({
    queryKey: [workspace.id, 'crm', 'runs'],
    queryFn: async ({ signal }) =>
      bodyOf(
        await hub.GET('/v2/plugins/{plugin}/runs', {
          signal,
          params: { path: { plugin: 'crm' }, query: { name: 'sync', limit: RUNS } },
        }),
      ).runs,
    refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? REFRESH_MS : false),
  });
  const newest = runs.data?.[0];
  const status = useQuery({
    // What a run has changed is read again when it has ended.
    queryKey: [workspace.id, 'crm', 'status', newest?.id, newest?.status],
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/plugins/crm/status', { signal })),
    enabled: runs.isSuccess,
  });
  const error = runs.error ?? status.error;
  // 404: the plan does not include it, or it is not installed. 409: it is not connected.
  if (error instanceof HubError && (error.status === 404 || error.status === 409)) return <NotConnected />;
  if (error) return <ProblemPage title={crmWords.title} error={error} onRetry={() => void runs.refetch()} />;
  if (!runs.data || !status.data) return <Skeleton rows={10} />;
  return <Sync status={status.data} runs={runs.data} />;
}

function Sync({ status, runs }: { status: CrmStatus; runs: readonly SyncRun[] }) {
  const { provider, direction, auto_sync, last_sync, mass_change, missing_fields } = status;
  const [newest] = runs;
  const refresh = useRefresh();
  const dryRun = newest?.status === 'finished' ? readResult(newest) : null;
  const ended = runs.find(run => !isUnfinished(run))?.id ?? '';
  return (
    <div className="flex h-full flex-col">
      <DetailHeader
        list="integrations"
        name={crmWords.title}
        beside={
          <span className="text-quiet">
            {[crmWords.provider[provider] ?? provider, crmWords.direction[direction], crmWords.auto(auto_sync)].join(
              ', ',
            )}
          </span>
        }
      >
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <StartButtons isBusy={newest !== undefined && isUnfinished(newest)} />
          <FieldsLink />
        </div>
      </DetailHeader>
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={crmWords.title}>
        <div className="mx-auto max-w-5xl space-y-8 p-5">
          {newest && needsNote(newest) && (
            <RunNote run={newest} title={crmWords.run[newest.status]} onChanged={refresh} />
          )}
          {mass_change && <MassChangeNote change={mass_change} />}
          {dryRun?.dry_run && <DryRun result={dryRun} />}
          {missing_fields.length > 0 && <p className="text-quiet">{crmWords.missing(missing_fields)}</p>}
          {last_sync ? (
            <section className="space-y-2">
              <h2 className="font-semibold">
                {crmWords.lastSync} <Moment at={last_sync.finished_at!} className="font-normal" />
              </h2>
              <Counts counts={last_sync.counts} push={last_sync.push} />
            </section>
          ) : (
            !dryRun?.dry_run && <EmptyState title={crmWords.neverSynced} text={crmWords.neverSyncedText} />
          )}
          <Reviews ended={ended} />
          {last_sync && <Changes ended={ended} />}
        </div>
      </div>
    </div>
  );
}

/** Leads to the fields. */
function FieldsLink() {
  const { workspace } = useWorkspace();
  return (
    <Link
      to="/w/$workspace/integrations/crm"
      params={{ workspace: workspace.id }}
      search={{ fields: 'contacts' }}
      className="soft inline-flex h-8 items-center rounded-md border border-line-strong px-3 font-medium hover:bg-panel max-md:h-11"
    >
      {crmWords.fields.title}
    </Link>
  );
}

/** Whether a run still works, was not finished, or has a report. */
function needsNote({ status, reported }: SyncRun): boolean {
  return status !== 'finished' || reported > 0;
}

function NotConnected() {
  const { workspace } = useWorkspace();
  return (
    <EmptyState title={crmWords.notConnected} text={crmWords.notConnectedText} level={1}>
      <Link
        to="/w/$workspace/integrations"
        params={{ workspace: workspace.id }}
        search={{ open: 'crm' }}
        className="text-accent underline"
      >
        {w.nav.integrations}
      </Link>
    </EmptyState>
  );
}
