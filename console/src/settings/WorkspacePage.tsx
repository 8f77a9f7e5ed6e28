import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { toLabel, w } from '../words/en.ts';
import { settingsWords } from '../words/settings.ts';
import { workspaceWords } from '../words/workspace.ts';
import { SampleDataSection } from '../sample-data/SampleDataSection.tsx';
import { Retention } from './Retention.tsx';
import { SettingsHeader } from './SettingsHeader.tsx';
import { WorkspaceProfile } from './WorkspaceProfile.tsx';

/** The profile of the workspace, its plan and quotas, how long it keeps data, and what to set up next. */
export function WorkspacePage() {
  const { hub, workspace } = useWorkspace();
  const status = useQuery({
    queryKey: [workspace.id, 'status'],
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/workspace/status', { signal })),
  });
  return (
    <>
      <SettingsHeader title={settingsWords.workspace} text={settingsWords.workspaceText(w.plan[workspace.plan])}>
        <CopyButton text={workspace.id} />
      </SettingsHeader>
      {status.isPending && <Skeleton rows={6} />}
      {status.error && <ProblemNote error={status.error} onRetry={() => void status.refetch()} />}
      {status.data && (
        <div className="space-y-8">
          <WorkspaceProfile key={workspace.name} profile={status.data.workspace} />
          <section className="space-y-3">
            <h2 className="font-semibold">{settingsWords.quotas}</h2>
            <dl className="space-y-2.5">
              {Object.entries(status.data.quotas).map(([name, { used, limit }]) => (
                <Quota key={name} name={workspaceWords.quota[name] ?? toLabel(name)} used={used} limit={limit} />
              ))}
            </dl>
          </section>
          <Retention lastRun={status.data.retention.last_run} />
          <SampleDataSection />
          {status.data.next_steps.length > 0 && (
            <section className="space-y-2">
              <h2 className="font-semibold">{settingsWords.nextSteps}</h2>
              <ul className="space-y-2">
                {status.data.next_steps.map(({ id, title, why, how }) => (
                  <li key={id} className="rounded-md border border-line px-4 py-3">
                    <p className="font-medium">{title}</p>
                    <p className="text-quiet">{why}</p>
                    <p className="num mt-1 break-words text-quiet">{how}</p>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      )}
    </>
  );
}

function Quota({ name, used, limit }: { name: string; used: number; limit: number | null }) {
  return (
    <div className="grid grid-cols-[140px_minmax(0,1fr)_auto] items-center gap-4">
      <dt>{name}</dt>
      <dd className="h-1.5 overflow-hidden rounded-full bg-bar-empty" aria-hidden="true">
        <i
          className="block h-full bg-accent"
          style={{ width: `${limit === null ? 0 : Math.min(100, (used / limit) * 100)}%` }}
        />
      </dd>
      <dd className="num text-quiet">{settingsWords.used(used, limit)}</dd>
    </div>
  );
}
