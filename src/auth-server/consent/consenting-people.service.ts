import { Injectable } from '@nestjs/common';
import { listRoleScopes } from '#kernel/auth/caller.js';
import { AuthDatabase } from '../users/auth-database.js';
import { readMemberships } from '../users/members.queries.js';
import { SignInService, type User, type UserWorkspace } from '../users/sign-in.service.js';
import { type AuthorizedAdmin, CONSENT_SCOPE } from './consent.service.js';

/** A person who is signed in, with the workspaces for which they may approve programs. */
export interface ConsentingPerson {
  readonly user: User;
  readonly workspaces: readonly UserWorkspace[];
}

/** Finds the person whose session a browser shows, and what they may consent to. */
@Injectable()
export class ConsentingPeopleService {
  constructor(
    private readonly signIns: SignInService,
    private readonly database: AuthDatabase,
  ) {}

  /** Returns the person of a session. @param cookie the whole `Cookie` header */
  async find(cookie: string): Promise<ConsentingPerson | undefined> {
    const session = cookie === '' ? undefined : await this.signIns.findSession(cookie);
    if (!session) return undefined;
    const workspaces = await this.database.run(tx => readMemberships(tx, session.user.id));
    return { user: session.user, workspaces: workspaces.filter(mayConsent) };
  }
}

/** Returns a person as the admin of one of their workspaces; undefined if they may not approve programs for it. */
export function toAuthorizedAdmin(
  { user, workspaces }: ConsentingPerson,
  workspaceId: string | undefined,
): AuthorizedAdmin | undefined {
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  return (
    workspace && {
      consenter: { workspaceId: workspace.id, actor: { kind: 'person', id: user.id } },
      workspaceName: workspace.name,
      scopes: listRoleScopes(workspace.role),
    }
  );
}

function mayConsent({ role }: UserWorkspace): boolean {
  return listRoleScopes(role).includes(CONSENT_SCOPE);
}
