import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import type { Role } from '#domain/actor/roles.js';
import type { Instant } from '#domain/time/instant.js';
import { recordActOf } from '#kernel/audit/audit-log.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { newId } from '#kernel/ids.js';
import { generateSecret, hashSecret } from '../grants/grant-code.js';
import { AuthDatabase } from './auth-database.js';
import { requireMayInvite } from './members.service.js';
import { NewMembersService, type VerifiedPerson } from './new-members.service.js';
import type { SignInClient } from './sign-in.http.js';
import type { Credentials, SignedIn } from './sign-in.service.js';

/** Days until an invitation expires. */
export const INVITATION_DAYS = 7;
/** Most open invitations of a workspace. */
export const MAX_OPEN_INVITATIONS = 200;

/** An invitation in the list of a workspace. */
export interface InvitationRow {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: Actor;
  readonly created_at: Instant;
  readonly expires_at: Instant;
}

/** An invitation as the invited person sees it. */
export interface OpenInvitation {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Instant;
  /** Whether the address has an account. */
  readonly accountExists: boolean;
}

/** What an invited person sends. */
export interface Acceptance extends Omit<Credentials, 'email'> {
  /** Name of a new account; an existing one keeps its own. */
  readonly name: string | undefined;
}

const COLUMNS = 'id, email, role, invited_by, created_at, expires_at';

/** Invites people to a workspace. The link is passed on by the person who invites: the hub sends no e-mail. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: AuthDatabase,
    private readonly newMembers: NewMembersService,
  ) {}

  /** Lists the invitations that nobody has accepted and that have not expired, the newest first. */
  list(workspaceId: string): Promise<InvitationRow[]> {
    return this.database.run(
      tx =>
        tx.query<InvitationRow>(
          `SELECT ${COLUMNS} FROM invitations WHERE workspace_id = $1 AND expires_at > now() ORDER BY created_at DESC, id`,
          [workspaceId],
        ),
      workspaceId,
    );
  }

  /**
   * Invites a person. A new invitation of an address replaces the open one, whose link then stops working.
   * @returns the invitation and its token, which is stored nowhere
   * @throws HubError `forbidden_scope` if the caller may not give the role, `already_member`, `quota_exceeded`
   */
  create(caller: Caller, email: string, role: Role): Promise<{ invitation: InvitationRow; token: string }> {
    const { workspaceId, actor } = caller;
    const address = email.toLowerCase();
    return this.database.run(async tx => {
      await requireMayInvite(tx, caller, role);
      await requireNoMember(tx, workspaceId, address);
      await tx.query('DELETE FROM invitations WHERE workspace_id = $1 AND (email = $2 OR expires_at <= now())', [
        workspaceId,
        address,
      ]);
      await requireRoom(tx, workspaceId);
      const token = generateSecret();
      const [invitation] = await tx.query<InvitationRow>(
        `INSERT INTO invitations (workspace_id, id, email, role, token_hash, invited_by, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + interval '${INVITATION_DAYS} days') RETURNING ${COLUMNS}`,
        [workspaceId, newId(), address, role, hashSecret(token), JSON.stringify(actor)],
      );
      recordActOf(tx, workspaceId, { action: 'member.invite', objectId: invitation!.id, after: { role } });
      return { invitation: invitation!, token };
    }, workspaceId);
  }

  /** Withdraws an invitation. @throws HubError `not_found` */
  async withdraw({ workspaceId }: Caller, id: string): Promise<void> {
    await this.database.run(async tx => {
      const sql = 'DELETE FROM invitations WHERE workspace_id = $1 AND id = $2 RETURNING role';
      const [row] = await tx.query<{ role: Role }>(sql, [workspaceId, id]);
      if (!row) throw new HubError('not_found');
      recordActOf(tx, workspaceId, { action: 'member.uninvite', objectId: id, before: row });
    }, workspaceId);
  }

  /** Returns the invitation of a token. @throws HubError `not_found` if it was accepted, withdrawn or has expired */
  find(token: string): Promise<OpenInvitation> {
    return this.database.run(tx => readInvitation(tx, hashSecret(token)));
  }

  /**
   * Accepts an invitation: the account of its address joins the workspace, or a new one, and is signed in.
   * @throws HubError `not_found`, and what {@link NewMembersService.join} throws
   */
  async accept(token: string, { name, ...proof }: Acceptance, client: SignInClient): Promise<SignedIn> {
    const { email, workspaceId } = await this.find(token);
    return this.newMembers.join({ workspaceId, name, credentials: { ...proof, email } }, client, tx =>
      useInvitation(tx, hashSecret(token)),
    );
  }

  /**
   * Accepts an invitation for a person that the hub has verified by other means than a password.
   * @param tokenHash SHA-256 of the token of the invitation
   * @throws HubError `not_found`, `invited_otherwise` if the invitation is for another address, and what
   *   {@link NewMembersService.joinVerified} throws
   */
  async acceptVerified(tokenHash: Buffer, person: VerifiedPerson, client: SignInClient): Promise<SignedIn> {
    const { email, workspaceId } = await this.database.run(tx => readInvitation(tx, tokenHash));
    if (person.email !== email) throw new HubError('invited_otherwise');
    return this.newMembers.joinVerified(workspaceId, person, client, tx => useInvitation(tx, tokenHash));
  }
}

interface InvitationLookUpRow {
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly email: string;
  readonly role: Role;
  readonly expires_at: Instant;
  readonly account_exists: boolean;
}

/** Uses up an invitation. @returns the role that it gives @throws HubError `not_found` */
async function useInvitation(tx: Transaction, tokenHash: Buffer): Promise<Role> {
  const { role, workspaceId } = await readInvitation(tx, tokenHash, 'FOR UPDATE OF invitation');
  await tx.query('DELETE FROM invitations WHERE workspace_id = $1 AND token_hash = $2', [workspaceId, tokenHash]);
  return role;
}

/**
 * Reads the invitation of a token.
 * @param lock locks the row, so that it is accepted once; the transaction then needs the workspace of the invitation.
 * @throws HubError `not_found`
 */
async function readInvitation(
  tx: Transaction,
  tokenHash: Buffer,
  lock: '' | 'FOR UPDATE OF invitation' = '',
): Promise<OpenInvitation> {
  const [row] = await tx.query<InvitationLookUpRow>(
    `SELECT invitation.workspace_id, workspace.name AS workspace_name, invitation.email, invitation.role,
       invitation.expires_at, EXISTS (SELECT FROM rapport_auth.users own WHERE own.email = invitation.email) AS account_exists
     FROM invitations invitation JOIN workspaces workspace ON workspace.id = invitation.workspace_id
     WHERE invitation.token_hash = $1 AND invitation.expires_at > now() ${lock}`,
    [tokenHash],
  );
  if (!row)
    throw new HubError('not_found', {
      detail: 'This invitation was accepted or withdrawn, or has expired. Ask for a new one.',
    });
  const { workspace_id, workspace_name, email, role, expires_at, account_exists } = row;
  return {
    workspaceId: workspace_id,
    workspaceName: workspace_name,
    email,
    role,
    expiresAt: expires_at,
    accountExists: account_exists,
  };
}

async function requireNoMember(tx: Transaction, workspaceId: string, email: string): Promise<void> {
  const rows = await tx.query(
    `SELECT FROM memberships member JOIN rapport_auth.users own ON own.id = member.user_id
     WHERE member.workspace_id = $1 AND own.email = $2`,
    [workspaceId, email],
  );
  if (rows.length > 0) throw new HubError('already_member');
}

async function requireRoom(tx: Transaction, workspaceId: string): Promise<void> {
  const sql = 'SELECT count(*)::int AS open FROM invitations WHERE workspace_id = $1';
  const [row] = await tx.query<{ open: number }>(sql, [workspaceId]);
  if (row!.open >= MAX_OPEN_INVITATIONS) throw HubError.quotaExceeded('invitations', MAX_OPEN_INVITATIONS, row!.open);
}
