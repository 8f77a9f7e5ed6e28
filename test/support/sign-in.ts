import type { Role } from '../../src/domain/actor/roles.js';
import { BrowserSession } from './browser-session.js';
import type { Client } from './hub.js';

/** Password of the people in these tests. */
export const PASSWORD = 'correct horse battery';

/** A person who is signed in. */
export interface SignedInPerson {
  readonly browser: BrowserSession;
  readonly id: string;
}

/** Invites a person with the key of a workspace, who accepts in a browser of their own. */
export async function signInPerson(url: string, client: Client, email: string, role: Role): Promise<SignedInPerson> {
  const { body } = await client.post<{ token: string }>('/v2/workspace/invitations', { email, role });
  const browser = new BrowserSession(url);
  const accept = { name: 'Ada', password: PASSWORD };
  const joined = await browser.send<{ user: { id: string } }>('POST', `/auth/invitations/${body.token}/accept`, accept);
  return { browser, id: joined.body.user.id };
}
