import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import type { ViewResource } from './views.ts';

/** A property of people or companies. */
export type Property = Schemas['Property'];

const MAX_PROPERTIES = 500;
const FRESH_MS = 60_000;
const NONE: readonly Property[] = [];

/** Returns the properties of the rows of a list. Asks when it is first used, so closed menus cost nothing. */
export function useProperties(resource: ViewResource): readonly Property[] {
  const { hub, workspace } = useWorkspace();
  const type = resource === 'companies' ? 'company' : 'person';
  const { data = NONE } = useQuery({
    queryKey: [workspace.id, 'properties', type],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) => {
      const query = { type, limit: MAX_PROPERTIES } as const;
      return bodyOf(await hub.GET('/v2/properties', { signal, params: { query } })).properties;
    },
  });
  return data;
}
