import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { Moment } from '../ui/Moment.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { saveFile } from '../ui/saveFile.ts';
import { importWords } from '../words/imports.ts';
import { w } from '../words/en.ts';
import { DryRunResult } from './DryRunResult.tsx';
import { listShownRuns, type ShownRun } from './runs.ts';
import { RunState } from './RunState.tsx';
import { type FileImport, type ImportRun, isRunning } from './types.ts';
import { Undo } from './Undo.tsx';

type Step = 'pause' | 'resume' | 'cancel' | 'retry';

/**
 * The runs of a file, the newest first: progress and rate, counts, what each row would do, rejected rows, and undo.
 * @param readAt when the runs were read, in milliseconds since 1970
 */
export function Runs({ file, readAt }: { file: FileImport; readAt: number }) {
  return (
    <ul className="space-y-2">
      {listShownRuns(file.runs).map(shown => (
        <li key={shown.run.id} className="rounded-md border border-line px-4 py-3">
          <Run file={file} shown={shown} readAt={readAt} />
        </li>
      ))}
    </ul>
  );
}

function Run({
  file,
  shown: { run, isUndoable, undo },
  readAt,
}: {
  file: FileImport;
  shown: ShownRun;
  readAt: number;
}) {
  const { done, total, result, error, retracted } = run;
  const part = total && done !== null ? done / total : 0;
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        <RunState run={run} />
        <Moment at={run.started_at} />
        <Actions file={file} run={run} />
      </div>
      {isRunning(run) && (
        <div role="status" className="space-y-1">
          <p className="flex items-center gap-3">
            <progress max={1} value={part} className="h-1.5 flex-1 accent-accent" aria-label={importWords.progress} />
            <span className="num">{importWords.sent(part)}</span>
          </p>
          {done !== null && done > 0 && total !== null && (
            <p className="text-quiet">{importWords.rate(done, total, (readAt - Date.parse(run.started_at)) / 1_000)}</p>
          )}
        </div>
      )}
      {result?.outcomes ? (
        <DryRunResult
          importId={file.id}
          runId={run.id}
          rows={result.rows}
          outcomes={result.outcomes}
          rejections={result.rejections}
        />
      ) : (
        result && <p>{importWords.result(result)}</p>
      )}
      {run.kind === 'undo' && retracted !== null && <p>{importWords.retracted(retracted)}</p>}
      {error !== null && <p className="text-against">{error}</p>}
      {isUndoable && <Undo importId={file.id} foreseen={undo} />}
    </div>
  );
}

/** What can be done with a run: its rejected rows, and its course. */
function Actions({ file, run }: { file: FileImport; run: ImportRun }) {
  const { hub, workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const queries = useQueryClient();
  const params = { path: { plugin: 'csv-import', id: run.id } };
  const change = useMutation({
    mutationFn: (step: Step) => hub.POST(`/v2/plugins/{plugin}/runs/{id}/${step}`, { params }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [workspace.id] }),
  });
  const report = useMutation({
    mutationFn: async () => {
      const answer = await hub.GET('/v2/plugins/{plugin}/runs/{id}/report', { params, parseAs: 'blob' });
      saveFile(bodyOf(answer) as unknown as Blob, importWords.reportName(file.file_name));
    },
  });
  const problem = change.error ?? report.error;
  return (
    <>
      <div className="ml-auto flex flex-wrap gap-2">
        {run.rejected !== null && run.rejected > 0 && (
          <Button title={importWords.rejectedHint} disabled={report.isPending} onClick={() => report.mutate()}>
            <Download className="size-3.5" aria-hidden="true" />
            {importWords.rejectedFile}
          </Button>
        )}
        {listSteps(run).map(step => (
          <Button
            key={step}
            reason={mayWrite ? undefined : w.needs.write}
            disabled={change.isPending}
            onClick={() => change.mutate(step)}
          >
            {importWords.step[step]}
          </Button>
        ))}
      </div>
      {problem && (
        <div className="basis-full">
          <ProblemNote error={problem} />
        </div>
      )}
    </>
  );
}

function listSteps({ status }: ImportRun): readonly Step[] {
  if (status === 'queued' || status === 'running') return ['pause', 'cancel'];
  if (status === 'paused') return ['resume', 'cancel'];
  return status === 'failed' ? ['retry'] : [];
}
