import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { saveFile } from '../ui/saveFile.ts';
import { crmWords } from '../words/crm.ts';
import { w } from '../words/en.ts';
import { isUnfinished, type SyncRun } from './types.ts';
import { useRefresh } from './useRefresh.ts';

type Step = 'pause' | 'resume' | 'cancel' | 'retry';

/** Returns what can be done with a run. */
function listSteps(run: SyncRun): readonly Step[] {
  if (run.status === 'finished') return [];
  if (!isUnfinished(run)) return ['retry'];
  return [run.status === 'paused' ? 'resume' : 'pause', 'cancel'];
}

/** A run that works, was not finished, or has a report: how far it is, what went wrong, and what can be done. */
export function RunNote({ run }: { run: SyncRun }) {
  const { hub } = useWorkspace();
  const mayWrite = useMay('write');
  const refresh = useRefresh();
  const params = { path: { plugin: 'crm', id: run.id } };
  const change = useMutation({
    mutationFn: (step: Step) => hub.POST(`/v2/plugins/{plugin}/runs/{id}/${step}`, { params }),
    onSuccess: refresh,
  });
  const report = useMutation({
    mutationFn: async () => {
      const answer = await hub.GET('/v2/plugins/{plugin}/runs/{id}/report', { params, parseAs: 'blob' });
      saveFile(bodyOf(answer) as unknown as Blob, crmWords.reportName);
    },
  });
  const { done, message } = run.progress;
  const steps = listSteps(run);
  const problem = change.error ?? report.error;
  return (
    <section role="status" className="space-y-2 rounded-md border border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="font-semibold">{crmWords.run[run.status]}</h2>
        {message !== null && isUnfinished(run) && <span className="text-quiet">{message}</span>}
        {done > 0 && <span className="num text-quiet">{crmWords.completed(done)}</span>}
        <div className="ml-auto flex flex-wrap gap-2">
          {run.reported > 0 && (
            <Button disabled={report.isPending} onClick={() => report.mutate()}>
              {crmWords.report}
            </Button>
          )}
          {steps.map(step => (
            <Button
              key={step}
              reason={mayWrite ? undefined : w.needs.write}
              disabled={change.isPending}
              onClick={() => change.mutate(step)}
            >
              {crmWords[step]}
            </Button>
          ))}
        </div>
      </div>
      {run.error !== null && <p className="text-against">{run.error}</p>}
      {run.reported > 0 && <p>{crmWords.refused(run.reported)}</p>}
      {problem && <ProblemNote error={problem} />}
    </section>
  );
}
