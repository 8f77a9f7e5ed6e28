import { useMutation } from '@tanstack/react-query';
import { useWorkspace } from '../api/workspace.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { mergeWords } from '../words/merges.ts';
import { useMergeRefresh } from './useMergeRefresh.ts';

/** Takes a merge of two accounts back, reads the workspace again, and says so. */
export function useUnmerge() {
  const { hub } = useWorkspace();
  const refresh = useMergeRefresh();
  const tell = useToast();
  return useMutation({
    mutationFn: (pair: { readonly a: string; readonly b: string }) =>
      hub.POST('/v2/entities/unmerge', { body: { ...pair, reason: mergeWords.undoReason } }),
    onSuccess: async () => {
      await refresh();
      tell({ text: mergeWords.undone });
    },
  });
}
