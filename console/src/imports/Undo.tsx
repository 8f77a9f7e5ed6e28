import { useMutation, useQueryClient } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { importWords } from '../words/imports.ts';
import { w } from '../words/en.ts';
import { type ImportRun, isRunning } from './types.ts';

/** Takes an import back: first it is counted what that would retract, and then it is done. */
export function Undo({ importId, foreseen }: { importId: string; foreseen: ImportRun | undefined }) {
  const { hub, workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const queries = useQueryClient();
  const undo = useMutation({
    mutationFn: async (isDryRun: boolean) =>
      bodyOf(
        await hub.POST('/v2/plugins/csv-import/imports/{id}/undo', {
          params: { path: { id: importId } },
          body: { dry_run: isDryRun },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [workspace.id] }),
  });
  const shared = { reason: mayWrite ? undefined : w.needs.write, disabled: undo.isPending };
  const counts = foreseen?.retracted;
  return (
    <div className="space-y-2">
      {counts ? (
        <div role="status" className="flex flex-wrap items-center gap-3 rounded-md bg-panel px-3 py-2">
          <p className="min-w-60 flex-1">{importWords.undoWould(counts)}</p>
          <Button look="danger" {...shared} onClick={() => undo.mutate(false)}>
            {importWords.undo}
          </Button>
        </div>
      ) : (
        <Button
          {...shared}
          disabled={undo.isPending || (foreseen !== undefined && isRunning(foreseen))}
          onClick={() => undo.mutate(true)}
        >
          {importWords.undoFirst}
        </Button>
      )}
      {undo.error && <ProblemNote error={undo.error} />}
    </div>
  );
}
