import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import type { Subject } from './search.ts';

/** Counts the facts about all people or companies of the workspace, by property. */
export function useFacets(of: Subject, body: Schemas['FacetsRequestBody'] = {}) {
  const { hub, workspace } = useWorkspace();
  return useQuery({
    queryKey: [workspace.id, 'facets', of, body],
    queryFn: async ({ signal }) => bodyOf(await hub.POST(`/v2/${of}/facets`, { signal, body })),
  });
}
