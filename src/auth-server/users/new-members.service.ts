import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import type { Role } from '#domain/actor/roles.js';
import { recordActOf } from '#kernel/audit/audit-log.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { AuthDatabase } from './auth-database.js';
import { type BetterAuth, BETTER_AUTH } from './better-auth.js';
import { setPassword } from './credentials.js';
import { readMemberships } from './members.queries.js';
import { type SignInClient, toCookieHeader } from './sign-in.http.js';
import { type Credentials, type SignedIn, SignInService, type User } from './sign-in.service.js';

/** A person who joins a workspace. */
export interface NewMember {
  readonly workspaceId: string;
  /** Name of a new account; an existing one keeps its own. */
  readonly name: string | undefined;
  /** Those of the account that the address has, or of the new one. The address is in lower case. */
  readonly credentials: Credentials;
}

/** A person that a provider of sign-in has verified. */
export interface VerifiedPerson {
  /** The account with which the person has connected the identity; undefined if there is none. */
  readonly userId: string | undefined;
  /** Address of that account, else the one that the provider names, if it does. */
  readonly email: string | undefined;
  /** Name of a new account. */
  readonly name: string | undefined;
  /** The identity by which the person signs in from then on. */
  readonly providerId: string;
  readonly accountId: string;
}

/** Uses up what allows a person to join, and returns the role that it gives. */
type Admit = (tx: Transaction) => Promise<Role>;

/** Lets people join workspaces, with a new account or the one that they have. */
@Injectable()
export class NewMembersService {
  constructor(
    @Inject(BETTER_AUTH) private readonly auth: BetterAuth,
    private readonly database: AuthDatabase,
    private readonly signIns: SignInService,
  ) {}

  /**
   * Makes the account of an address a member, creates it if there is none, and signs it in.
   * @param admit runs in the transaction in which the person joins
   * @throws HubError what {@link SignInService.signIn} throws if the address has an account, `invalid_request` if a new
   *   account has no name, and what `admit` throws
   */
  async join({ workspaceId, name, credentials }: NewMember, client: SignInClient, admit: Admit): Promise<SignedIn> {
    const { email, password } = credentials;
    if (await this.database.run(tx => readUserByAddress(tx, email)))
      return this.joinWithAccount(workspaceId, await this.signIns.signIn(credentials, client), admit);
    if (name === undefined) throw HubError.invalidField('name', 'is needed for a new account');
    const hash = await (await this.auth.$context).password.hash(password);
    await this.database.run(async tx => {
      const role = await admit(tx);
      // An account that came between was not checked against the password.
      if (await readUserByAddress(tx, email)) throw new HubError('sign_in_failed');
      const id = await this.createUser({ name, email });
      await setPassword(this.auth, id, hash);
      await addMember(tx, workspaceId, id, role);
    }, workspaceId);
    return this.signIns.signIn(credentials, client);
  }

  /**
   * Makes a person that a provider has verified a member, creates the account if there is none, and signs them in.
   * @param admit runs in the transaction in which the person joins
   * @throws HubError `account_exists` if the address has an account that is not connected with the identity, and what
   *   `admit` throws
   */
  async joinVerified(
    workspaceId: string,
    person: VerifiedPerson,
    client: SignInClient,
    admit: Admit,
  ): Promise<SignedIn> {
    const userId = await this.database.run(async tx => {
      const role = await admit(tx);
      const id = person.userId ?? (await this.createVerified(tx, person));
      await addMember(tx, workspaceId, id, role);
      return id;
    }, workspaceId);
    return this.signIns.signInVerified(userId, client);
  }

  /** Makes a person who has just signed in a member. Who is not admitted is signed out again. */
  private async joinWithAccount(workspaceId: string, signedIn: SignedIn, admit: Admit): Promise<SignedIn> {
    const { user, cookies } = signedIn;
    try {
      await this.database.run(async tx => addMember(tx, workspaceId, user.id, await admit(tx)), workspaceId);
    } catch (error) {
      await this.signIns.signOut(toCookieHeader(cookies));
      throw error;
    }
    return { ...signedIn, workspaces: await this.database.run(tx => readMemberships(tx, user.id)) };
  }

  private async createVerified(
    tx: Transaction,
    { email, name = email, providerId, accountId }: VerifiedPerson,
  ): Promise<string> {
    if (email === undefined || name === undefined) throw new HubError('invited_otherwise');
    if (await readUserByAddress(tx, email)) throw new HubError('account_exists');
    const userId = await this.createUser({ name, email });
    const { internalAdapter } = await this.auth.$context;
    await internalAdapter.linkAccount({ userId, accountId, providerId });
    return userId;
  }

  private async createUser({ name, email }: Omit<User, 'id'>): Promise<string> {
    const { internalAdapter } = await this.auth.$context;
    const { id } = await internalAdapter.createUser({ name, email, emailVerified: false }, { method: 'email' });
    return id;
  }
}

/** Makes a person a member of the workspace of the transaction. */
export async function addMember(tx: Transaction, workspaceId: string, id: string, role: Role): Promise<void> {
  await tx.query('INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    workspaceId,
    id,
    role,
  ]);
  const actor: Actor = { kind: 'person', id };
  recordActOf(tx, workspaceId, { action: 'member.join', objectId: id, after: { role }, actor });
}

async function readUserByAddress(tx: Transaction, email: string): Promise<User | undefined> {
  const [user] = await tx.query<User>('SELECT id, name, email FROM rapport_auth.users WHERE email = $1', [email]);
  return user;
}
