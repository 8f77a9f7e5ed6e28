import { useMutation, useQueryClient } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';

/**
 * States a property of an account in the name of the person, and refreshes what shows it. Null states that the fact has
 * ended.
 */
export function useStatement(account: string, property: string) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  const undo = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids)
        await hub.POST('/v2/observations/{id}/retract', {
          params: { path: { id } },
          body: { reason: w.evidence.undone },
        });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [workspace.id] });
      tell({ text: w.evidence.undone });
    },
    onError: error => tell({ text: error.message }),
  });
  return useMutation({
    mutationFn: async (value: unknown) => {
      const observations = [{ kind: 'state' as const, property, value: value as string | null }];
      return bodyOf(await hub.POST('/v2/observations', { body: { focus: account, observations } }));
    },
    onSuccess: async ({ observation_ids: ids }) => {
      await queries.invalidateQueries({ queryKey: [workspace.id] });
      tell({ text: w.evidence.saved, undo: { label: w.undo, run: () => undo.mutate(ids) } });
    },
  });
}
