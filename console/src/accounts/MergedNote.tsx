import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { accountWords as words } from '../words/account.ts';
import { w } from '../words/en.ts';
import { mergeWords } from '../words/merges.ts';

/** Says that the address led to another account, and undoes the merge. */
export function MergedNote({ id, merged }: { id: string; merged: string }) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const go = useNavigate();
  const tell = useToast();
  const mayWrite = useMay('write');
  const undo = useMutation({
    mutationFn: () => hub.POST('/v2/entities/unmerge', { body: { a: id, b: merged, reason: mergeWords.undoReason } }),
    onSuccess: async () => {
      // What was read at the old address leads back here.
      queries.removeQueries({ queryKey: [workspace.id, 'account', merged] });
      await queries.invalidateQueries({ queryKey: [workspace.id] });
      await go({ to: '/w/$workspace/accounts/$id', params: { workspace: workspace.id, id: merged }, replace: true });
      tell({ text: mergeWords.undone });
    },
    onError: error => tell({ text: error.message }),
  });
  return (
    <p role="status" className="flex flex-wrap items-center gap-3 border-b border-line bg-accent-soft px-5 py-2">
      {words.merged}
      <Button reason={mayWrite ? undefined : w.needs.write} disabled={undo.isPending} onClick={() => undo.mutate()}>
        {words.unmerge}
      </Button>
    </p>
  );
}
