import { createHub } from '../api/client.ts';

/** Ends the session of this browser, and leads to the sign-in. */
export async function signOut(): Promise<void> {
  await createHub().POST('/auth/sign-out');
  location.assign('/sign-in');
}
