import { Injectable } from '@nestjs/common';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { newId } from '#kernel/ids.js';
import { generateSecret, hashSecret } from '../grants/grant-code.js';
import { AuthDatabase } from '../users/auth-database.js';
import { NewMembersService } from '../users/new-members.service.js';
import type { SignInClient } from '../users/sign-in.http.js';
import type { Credentials, SignedIn } from '../users/sign-in.service.js';

/** How long a setup code works. */
const SETUP_TTL_US = 7 * DAY_US;

/** A code by which the first owner of a workspace creates an account. */
export interface SetupCode {
  readonly code: string;
  readonly expiresAt: Instant;
}

/** A workspace that waits for its first owner. */
export interface OpenSetup {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly expiresAt: Instant;
}

/** What the first owner sends. */
export interface FirstOwner {
  readonly name: string;
  /** Those of the account that the address has, or of the new one. */
  readonly credentials: Credentials;
  /** New name of the workspace; undefined leaves it as it is. */
  readonly workspaceName: string | undefined;
}

/**
 * Creates the code by which the first owner of a workspace creates an account. It replaces an earlier one. Only its hash
 * is stored, so it is shown once.
 */
export async function createSetupCode(tx: Transaction, workspaceId: string): Promise<SetupCode> {
  const code = generateSecret();
  const now = await tx.now();
  const expiresAt = now + SETUP_TTL_US;
  await deleteCodes(tx, workspaceId);
  await tx.query(
    `INSERT INTO rapport_auth.verifications (id, identifier, value, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $5)`,
    [newId(), toIdentifier(code), workspaceId, toIso(expiresAt), toIso(now)],
  );
  return { code, expiresAt };
}

/** Lets the first owner of a workspace create an account, by a code that the hub or its operator has printed. */
@Injectable()
export class SetupService {
  constructor(
    private readonly database: AuthDatabase,
    private readonly newMembers: NewMembersService,
  ) {}

  /** Returns whether nobody can sign in to this hub yet. */
  async isRequired(): Promise<boolean> {
    const users = await this.database.run(tx => tx.query('SELECT FROM rapport_auth.users LIMIT 1'));
    return users.length === 0;
  }

  /** Returns the workspace of a code. @throws HubError `not_found` if the code was used or replaced, or has expired */
  find(code: string): Promise<OpenSetup> {
    return this.database.run(tx => readSetup(tx, code));
  }

  /**
   * Makes a person the first owner of a workspace, once, and signs them in.
   * @throws HubError `not_found` as {@link find} does, and if the workspace has a member by now, and what
   *   {@link NewMembersService.join} throws
   */
  async setUp(code: string, { name, credentials, workspaceName }: FirstOwner, client: SignInClient): Promise<SignedIn> {
    const { workspaceId } = await this.find(code);
    const owner = { workspaceId, name, credentials: { ...credentials, email: credentials.email.toLowerCase() } };
    return this.newMembers.join(owner, client, async tx => {
      await readSetup(tx, code, 'FOR UPDATE OF setup');
      if (await hasMembers(tx, workspaceId)) throw usedCodeError();
      await deleteCodes(tx, workspaceId);
      if (workspaceName !== undefined)
        await tx.query('UPDATE workspaces SET name = $2 WHERE id = $1', [workspaceId, workspaceName]);
      return 'owner';
    });
  }
}

async function readSetup(tx: Transaction, code: string, lock: '' | 'FOR UPDATE OF setup' = ''): Promise<OpenSetup> {
  const [row] = await tx.query<{ id: string; name: string; expires_at: Instant }>(
    `SELECT workspace.id, workspace.name, setup.expires_at
     FROM rapport_auth.verifications setup JOIN workspaces workspace ON workspace.id::text = setup.value
     WHERE setup.identifier = $1 AND setup.expires_at > now() ${lock}`,
    [toIdentifier(code)],
  );
  if (!row) throw usedCodeError();
  return { workspaceId: row.id, workspaceName: row.name, expiresAt: row.expires_at };
}

/** Returns whether a workspace has members, who then invite others. */
export async function hasMembers(tx: Transaction, workspaceId: string): Promise<boolean> {
  const members = await tx.query('SELECT FROM memberships WHERE workspace_id = $1 LIMIT 1', [workspaceId]);
  return members.length > 0;
}

async function deleteCodes(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query("DELETE FROM rapport_auth.verifications WHERE value = $1 AND starts_with(identifier, 'setup ')", [
    workspaceId,
  ]);
}

function usedCodeError(): HubError {
  return new HubError('not_found', {
    detail:
      'This setup address was used or replaced, or has expired, or the workspace has an owner. Sign in, or ask the ' +
      'operator of the hub for another address: `rapport admin workspace setup-address`.',
  });
}

function toIdentifier(code: string): string {
  return `setup ${hashSecret(code).toString('base64url')}`;
}
