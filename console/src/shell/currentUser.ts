import { queryOptions } from '@tanstack/react-query';
import { bodyOf, createHub } from '../api/client.ts';

/** Who is signed in, with their workspaces. Without a session the hub client leads to the sign-in page. */
export const currentUser = queryOptions({
  queryKey: ['current user'],
  queryFn: async ({ signal }) => bodyOf(await createHub().GET('/auth/me', { signal })),
  staleTime: 60_000,
});
