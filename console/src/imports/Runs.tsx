import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { saveFile } from '../ui/saveFile.ts';
import { importWords } from '../words/imports.ts';
import { w } from '../words/en.ts';
import { Moment } from '../ui/Moment.tsx';
import { RunState } from './RunState.tsx';
import { type FileImport, type ImportRun, isRunning } from './types.ts';

/** The runs of a file, the newest first: progress, counts, rejected rows, and undo. */
export function Runs({ file }: { file: FileImport }) {
  if (file.runs.length === 0) return null;
  return (
    <section className="space-y-2">
      <h2 className="font-semibold">{importWords.runs}</h2>
      <ul className="space-y-2">
        {file.runs.map(run => (
          <li key={run.id} className="rounded-md border border-line px-4 py-3">
            <Run file={file} run={run} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Run({ file, run }: { file: FileImport; run: ImportRun }) {
  const { hub, workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: [workspace.id] });
  const params = { path: { plugin: 'csv-import', id: run.id } };
  const cancel = useMutation({
    mutationFn: () => hub.POST('/v2/plugins/{plugin}/runs/{id}/cancel', { params }),
    onSuccess: refresh,
  });
  const undo = useMutation({
    mutationFn: (dry: boolean) =>
      hub.POST('/v2/plugins/csv-import/imports/{id}/undo', {
        params: { path: { id: file.id } },
        body: { dry_run: dry },
      }),
    onSuccess: refresh,
  });
  const report = useMutation({
    mutationFn: async () => {
      const answer = await hub.GET('/v2/plugins/{plugin}/runs/{id}/report', { params, parseAs: 'blob' });
      saveFile(bodyOf(answer) as unknown as Blob, importWords.reportName(file.file_name));
    },
  });
  const { started_at, done, total, rejected, result, error, kind, dry_run, status, retracted } = run;
  const part = total && done !== null ? done / total : 0;
  const isUndoable = kind === 'import' && !dry_run && status === 'finished';
  const problem = cancel.error ?? undo.error ?? report.error;
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        <RunState run={run} />
        <Moment at={started_at} />
        <div className="ml-auto flex flex-wrap gap-2">
          {rejected !== null && rejected > 0 && (
            <Button disabled={report.isPending} onClick={() => report.mutate()}>
              <Download className="size-3.5" aria-hidden="true" />
              {importWords.rejectedFile}
            </Button>
          )}
          {isRunning(run) && (
            <Button
              reason={mayWrite ? undefined : w.needs.write}
              disabled={cancel.isPending}
              onClick={() => cancel.mutate()}
            >
              {importWords.cancel}
            </Button>
          )}
          {isUndoable && (
            <Button
              look="danger"
              reason={mayWrite ? undefined : w.needs.write}
              disabled={undo.isPending}
              onClick={() => undo.mutate(false)}
            >
              {importWords.undo}
            </Button>
          )}
        </div>
      </div>
      {isRunning(run) && (
        <p className="flex items-center gap-3" role="status">
          <progress max={1} value={part} className="h-1.5 flex-1 accent-accent" aria-label={importWords.progress} />
          <span className="num">{importWords.sent(part)}</span>
        </p>
      )}
      {result && <p>{importWords.result(result)}</p>}
      {retracted !== null && <p>{importWords.retracted(retracted.observations, retracted.entities_removed)}</p>}
      {error !== null && <p className="text-against">{error}</p>}
      {problem && <ProblemNote error={problem} />}
    </div>
  );
}
