import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';

/** Reads the webhook endpoints of the open workspace, with the events that they can be sent. */
export function useTriggers() {
  const { hub, workspace } = useWorkspace();
  return useQuery({
    queryKey: [workspace.id, 'triggers'],
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/workspace/triggers', { signal })),
  });
}
