import { useWorkspace } from '../api/workspace.tsx';
import { Link } from '@tanstack/react-router';
import { DetailHeader } from '../shell/DetailHeader.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Moment } from '../ui/Moment.tsx';
import { PanelView } from '../panels/PanelView.tsx';
import { RunNote } from '../runs/RunNote.tsx';
import { isUnfinished } from '../runs/types.ts';
import { nameProvider } from '../words/sync.ts';
import { Changes } from './Changes.tsx';
import { Counts } from './Counts.tsx';
import { DryRun } from './DryRun.tsx';
import { MassChangeNote } from './MassChangeNote.tsx';
import { Reviews } from './Reviews.tsx';
import { StartButtons } from './StartButtons.tsx';
import { useSync } from './SyncContext.ts';
import { readResult, type SyncRun, type SyncStatus } from './types.ts';
import { useRefresh } from './useRefresh.ts';

/** What the sync did, what it would do, what waits for somebody, and each value that travelled. */
export function SyncState({ status, runs }: { status: SyncStatus; runs: readonly SyncRun[] }) {
  const { title, words, parts, panels } = useSync();
  const { provider, direction, auto_sync, last_sync, mass_change, reviews, missing_fields } = status;
  const [newest] = runs;
  const refresh = useRefresh();
  const dryRun = newest?.status === 'finished' ? readResult(newest) : null;
  const ended = runs.find(run => !isUnfinished(run))?.id ?? '';
  return (
    <div className="flex h-full flex-col">
      <DetailHeader
        list="integrations"
        name={title}
        beside={
          <span className="text-quiet">
            {[nameProvider(provider), words.direction[direction], words.auto(auto_sync)].join(', ')}
          </span>
        }
      >
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <StartButtons isBusy={newest !== undefined && isUnfinished(newest)} />
          {parts.has('fields') && <FieldsLink />}
        </div>
      </DetailHeader>
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={title}>
        <div className="mx-auto max-w-5xl space-y-8 p-5">
          {newest && needsNote(newest) && <RunNote run={newest} title={words.run[newest.status]} onChanged={refresh} />}
          {mass_change && parts.has('mass_changes') && <MassChangeNote change={mass_change} />}
          {dryRun?.dry_run && <DryRun result={dryRun} />}
          {missing_fields.length > 0 && <p className="text-quiet">{words.missing(missing_fields)}</p>}
          {last_sync ? (
            <section className="space-y-2">
              <h2 className="font-semibold">
                {words.lastSync} <Moment at={last_sync.finished_at!} className="font-normal" />
              </h2>
              <Counts counts={last_sync.counts} push={last_sync.push} />
            </section>
          ) : (
            !dryRun?.dry_run && <EmptyState title={words.neverSynced} text={words.neverSyncedText} />
          )}
          <div className="space-y-2">
            {parts.has('reviews') && reviews !== 0 && (
              <Disclosure title={words.toDecide(reviews)}>
                <Reviews ended={ended} />
              </Disclosure>
            )}
            {last_sync && parts.has('changes') && (
              <Disclosure title={words.changes}>
                <Changes ended={ended} />
              </Disclosure>
            )}
            {panels.map(panel => (
              <Disclosure key={panel.path + panel.title} title={panel.title}>
                <PanelView panel={panel} hasTitle={false} />
              </Disclosure>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

/** Leads to the fields. */
function FieldsLink() {
  const { workspace } = useWorkspace();
  const { plugin, words } = useSync();
  return (
    <Link
      to="/w/$workspace/integrations/$plugin"
      params={{ workspace: workspace.id, plugin }}
      search={{ fields: 'contacts' }}
      className="soft inline-flex h-8 items-center rounded-md border border-line-strong px-3 font-medium hover:bg-panel max-md:h-11"
    >
      {words.fields.title}
    </Link>
  );
}

/** Whether a run still works, was not finished, or has a report. */
function needsNote({ status, reported }: SyncRun): boolean {
  return status !== 'finished' || reported > 0;
}
