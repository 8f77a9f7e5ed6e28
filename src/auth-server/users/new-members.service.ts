import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import type { Role } from '#domain/actor/roles.js';
import { recordActOf } from '#kernel/audit/audit-log.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { AuthDatabase } from './auth-database.js';
import { type BetterAuth, BETTER_AUTH } from './better-auth.js';
import { type SignedIn, type SignInClient, SignInService, type User } from './sign-in.service.js';

/** A person who joins a workspace. */
export interface NewMember {
  readonly workspaceId: string;
  /** E-mail address of the account, in lower case. */
  readonly email: string;
  /** Name of a new account; an existing one keeps its own. */
  readonly name: string | undefined;
  /** Password of the account that the address has, or of the new one. */
  readonly password: string;
}

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
   * @param admit uses up what allows the person to join, in the same transaction, and returns the role that it gives
   * @throws HubError `sign_in_failed` if the address has an account with another password, `invalid_request` if a new
   *   account has no name, and what `admit` throws
   */
  async join(
    { workspaceId, email, name, password }: NewMember,
    client: SignInClient,
    admit: (tx: Transaction) => Promise<Role>,
  ): Promise<SignedIn> {
    const account = await this.database.run(tx => readUserByAddress(tx, email));
    if (account) await this.signIns.checkPassword(account, password, client);
    else if (name === undefined) throw HubError.invalidField('name', 'is needed for a new account');
    const context = await this.auth.$context;
    const hash = account ? undefined : await context.password.hash(password);
    await this.database.run(async tx => {
      const role = await admit(tx);
      // An account that came between was not checked against the password.
      if ((await readUserByAddress(tx, email))?.id !== account?.id) throw new HubError('sign_in_failed');
      const id = account?.id ?? (await this.createUser({ name: name!, email }, hash!));
      await tx.query(
        'INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [workspaceId, id, role],
      );
      const actor: Actor = { kind: 'person', id };
      recordActOf(tx, workspaceId, { action: 'member.join', objectId: id, after: { role }, actor });
    }, workspaceId);
    return this.signIns.signIn(email, password, client);
  }

  private async createUser({ name, email }: Omit<User, 'id'>, password: string): Promise<string> {
    const { internalAdapter } = await this.auth.$context;
    const { id } = await internalAdapter.createUser({ name, email, emailVerified: false }, { method: 'email' });
    await internalAdapter.linkAccount({ userId: id, accountId: id, providerId: 'credential', password });
    return id;
  }
}

async function readUserByAddress(tx: Transaction, email: string): Promise<User | undefined> {
  const [user] = await tx.query<User>('SELECT id, name, email FROM rapport_auth.users WHERE email = $1', [email]);
  return user;
}
