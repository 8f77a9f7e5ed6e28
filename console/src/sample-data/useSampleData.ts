import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';

/** Returns whether the workspace has the sample data; undefined while that is not known. */
export function useSampleData(): boolean | undefined {
  const { hub, workspace } = useWorkspace();
  const { data } = useQuery({
    queryKey: [workspace.id, 'sample data'],
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/workspace/sample-data', { signal })),
  });
  return data?.is_loaded;
}

/** Loads the sample data, and says what is there now. */
export function useLoadSampleData() {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  return useMutation({
    mutationFn: async () => bodyOf(await hub.POST('/v2/workspace/sample-data')),
    onSuccess: async ({ people, companies }) => {
      await queries.invalidateQueries({ queryKey: [workspace.id] });
      tell({ text: w.sample.loaded(people, companies) });
    },
  });
}

/** Removes the sample data, and offers to load it again. */
export function useRemoveSampleData() {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  const load = useLoadSampleData();
  return useMutation({
    mutationFn: async () => bodyOf(await hub.DELETE('/v2/workspace/sample-data')),
    onSuccess: async ({ entities }) => {
      await queries.invalidateQueries({ queryKey: [workspace.id] });
      tell({ text: w.sample.removed(entities), undo: { label: w.undo, run: () => load.mutate() } });
    },
  });
}
