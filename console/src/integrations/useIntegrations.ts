import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';

/** Reads the integrations of the hub, with their connections in the open workspace. */
export function useIntegrations() {
  const { hub, workspace } = useWorkspace();
  return useQuery({
    queryKey: [workspace.id, 'integrations'],
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/workspace/integrations', { signal })).integrations,
  });
}
