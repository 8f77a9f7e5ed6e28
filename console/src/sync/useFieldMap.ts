import { useMutation } from '@tanstack/react-query';
import { useWorkspace } from '../api/workspace.tsx';
import { useRefresh as useRefreshIntegrations } from '../integrations/useRefresh.ts';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import type { FieldMap } from './fieldMap.ts';
import { useRefresh } from './useRefresh.ts';
import { useSync } from './SyncContext.ts';

/** Reads and changes the setting `field_map` of the connection. */
export function useFieldMap() {
  const { plugin, words, connection } = useSync();
  const { hub } = useWorkspace();
  const refreshIntegrations = useRefreshIntegrations();
  const refresh = useRefresh();
  const tell = useToast();
  const map = (connection?.settings as Readonly<Record<string, FieldMap>> | undefined)?.['field_map'] ?? {};
  const save = useMutation({
    mutationFn: async (changed: FieldMap) => {
      const params = { path: { plugin, id: connection!.id } };
      const settings = { field_map: changed as never };
      await hub.PATCH('/v2/workspace/integrations/{plugin}/connections/{id}', { params, body: { settings } });
      await Promise.all([refreshIntegrations(), refresh()]);
    },
  });
  return {
    map,
    isLoaded: connection !== null,
    save: {
      error: save.error,
      isPending: save.isPending,
      /** Saves a map, and offers to go back to the one before. */
      run: (changed: FieldMap, onSaved?: () => void) =>
        save.mutate(changed, {
          onSuccess: () => {
            onSaved?.();
            tell({ text: words.fields.saved, undo: { label: w.undo, run: () => save.mutate(map) } });
          },
        }),
    },
  };
}
