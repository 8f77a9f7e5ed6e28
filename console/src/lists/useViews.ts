import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import type { ListSearch } from './search.ts';
import { type SavedView, toViewQuery, type ViewResource } from './views.ts';

/** A view to save. */
export interface ViewDraft {
  /** ID of the view to change; undefined for a new one. */
  readonly id?: string;
  readonly name: string;
  readonly shared: boolean;
  /** State of the list to save; undefined keeps what the view has. */
  readonly search?: ListSearch;
}

const NO_VIEWS: readonly SavedView[] = [];

/** Returns the saved views of a list, and the one that its address names. */
export function useSavedViews(resource: ViewResource, { view }: ListSearch) {
  const { hub, workspace } = useWorkspace();
  const { data: saved = NO_VIEWS } = useQuery({
    queryKey: [workspace.id, 'views', resource],
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET('/v2/workspace/views', { signal, params: { query: { resource } } })).views,
  });
  return { saved, opened: saved.find(({ id }) => id === view) };
}

/** Saves a view, and says so. */
export function useSaveView(resource: ViewResource) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  return useMutation({
    mutationFn: async ({ id, name, shared, search }: ViewDraft): Promise<SavedView> => {
      const query = search && toViewQuery(search);
      if (id === undefined)
        return bodyOf(await hub.POST('/v2/workspace/views', { body: { resource, name, shared, query: query ?? {} } }));
      const params = { path: { id } };
      return bodyOf(await hub.PATCH('/v2/workspace/views/{id}', { params, body: { name, shared, query } }));
    },
    onSuccess: async ({ name }) => {
      await queries.invalidateQueries({ queryKey: [workspace.id, 'views', resource] });
      tell({ text: w.savedViews.saved(name) });
    },
  });
}

/** Deletes a view, and offers to save it again. */
export function useDeleteView(resource: ViewResource) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  const refresh = () => queries.invalidateQueries({ queryKey: [workspace.id, 'views', resource] });
  const restore = useMutation({
    mutationFn: async ({ name, query, shared }: SavedView) =>
      bodyOf(await hub.POST('/v2/workspace/views', { body: { resource, name, query, shared } })),
    onSuccess: refresh,
    onError: (error: Error) => tell({ text: error.message }),
  });
  return useMutation({
    mutationFn: async ({ id }: SavedView) => hub.DELETE('/v2/workspace/views/{id}', { params: { path: { id } } }),
    onSuccess: async (_answer, view) => {
      await refresh();
      tell({ text: w.savedViews.removed(view.name), undo: { label: w.undo, run: () => restore.mutate(view) } });
    },
  });
}
