import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';

const MAX_LISTS = 200;

/** Reads the lead lists of the open workspace. @param isNeeded whether they are shown: closed menus cost nothing */
export function useLeadLists(isNeeded: boolean) {
  const { hub, workspace } = useWorkspace();
  return useQuery({
    queryKey: [workspace.id, 'lead lists'],
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET('/v2/lead-lists', { signal, params: { query: { limit: MAX_LISTS } } })).lead_lists,
    enabled: isNeeded,
  });
}
