import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { saveFile } from '../ui/saveFile.ts';
import { w } from '../words/en.ts';
import { runWords } from '../words/runs.ts';
import { isUnfinished, type Run } from './types.ts';

type Step = 'pause' | 'resume' | 'cancel' | 'retry';

/** Returns what can be done with a run. */
function listSteps(run: Run): readonly Step[] {
  if (run.status === 'finished') return [];
  if (!isUnfinished(run)) return ['retry'];
  return [run.status === 'paused' ? 'resume' : 'pause', 'cancel'];
}

/** Long work: how far it is, what went wrong, what it did not take, and what can be done. */
export function RunNote({
  run,
  title,
  onChanged,
}: {
  run: Run;
  /** Says what the work is, and in which state. */
  title: string;
  /** Reads what the work has changed again. */
  onChanged: () => Promise<void>;
}) {
  const { hub } = useWorkspace();
  const mayWrite = useMay('write');
  const params = { path: { plugin: run.plugin, id: run.id } };
  const change = useMutation({
    mutationFn: (step: Step) => hub.POST(`/v2/plugins/{plugin}/runs/{id}/${step}`, { params }),
    onSuccess: onChanged,
  });
  const report = useMutation({
    mutationFn: async () => {
      const answer = await hub.GET('/v2/plugins/{plugin}/runs/{id}/report', { params, parseAs: 'blob' });
      saveFile(bodyOf(answer) as unknown as Blob, runWords.reportName(run.plugin));
    },
  });
  const { done, message } = run.progress;
  const steps = listSteps(run);
  const problem = change.error ?? report.error;
  return (
    <section role="status" className="space-y-2 rounded-md border border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="font-semibold">{title}</h2>
        {message !== null && isUnfinished(run) && <span className="text-quiet">{message}</span>}
        {done > 0 && <span className="num text-quiet">{runWords.completed(done)}</span>}
        <div className="ml-auto flex flex-wrap gap-2">
          {run.reported > 0 && (
            <Button disabled={report.isPending} onClick={() => report.mutate()}>
              {runWords.report}
            </Button>
          )}
          {steps.map(step => (
            <Button
              key={step}
              reason={mayWrite ? undefined : w.needs.write}
              disabled={change.isPending}
              onClick={() => change.mutate(step)}
            >
              {runWords[step]}
            </Button>
          ))}
        </div>
      </div>
      {run.error !== null && <p className="text-against">{run.error}</p>}
      {run.reported > 0 && <p>{runWords.refused(run.reported)}</p>}
      {problem && <ProblemNote error={problem} />}
    </section>
  );
}
