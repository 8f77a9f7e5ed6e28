import { queryOptions } from '@tanstack/react-query';
import { bodyOf, createHub } from '../api/client.ts';
import { signInWords } from '../words/signIn.ts';

/** What a visitor without a session may know of the hub. */
export const signInState = queryOptions({
  queryKey: ['sign-in state'],
  queryFn: async ({ signal }) => bodyOf(await createHub().GET('/auth/state', { signal })),
});

/** Leads to the provider of single sign-on. @param request page that opens afterwards, and the invitation that is accepted */
export async function signInAtProvider(request: { to?: string | undefined; invitation?: string }): Promise<void> {
  const { to, ...rest } = request;
  const body = { ...rest, ...(to !== undefined && { to }) };
  location.assign(bodyOf(await createHub().POST('/auth/single-sign-on', { body })).url);
}

/** Returns what is said of a refusal. @param code error code with which the hub sent the browser back */
export function explainRefusal(code: string): string {
  return signInWords.singleSignOn.refused[code] ?? signInWords.singleSignOn.refusedOtherwise;
}
