import { Inject, Injectable } from '@nestjs/common';
import { recordActOf } from '#kernel/audit/audit-log.js';
import type { Caller } from '#kernel/auth/caller.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { newId } from '#kernel/ids.js';
import { AuthDatabase } from '../users/auth-database.js';
import { readMemberships } from '../users/members.queries.js';
import { addMember } from '../users/new-members.service.js';
import type { UserWorkspace } from '../users/sign-in.service.js';

/** Number of workspaces that a person can own and still create another one. */
const MAX_OWNED = 20;

/** Creates workspaces for people. */
@Injectable()
export class NewWorkspacesService {
  constructor(
    private readonly database: AuthDatabase,
    @Inject(ENV) private readonly env: Pick<Env, 'newWorkspaces'>,
  ) {}

  /**
   * Creates a workspace with the plan of the one that the caller acts in, and makes the caller its owner.
   * @throws HubError `new_workspace_refused` for a program, on a hub where the operator creates workspaces, and for a person
   *   who owns {@link MAX_OWNED}
   */
  async create({ actor, plan }: Caller, name: string): Promise<UserWorkspace> {
    if (actor.kind !== 'person') refuse('Only people create workspaces. Sign in to the console and create it there.');
    if (this.env.newWorkspaces === 'operator') refuse('The operator of this hub creates workspaces. Ask for one.');
    const own = await this.database.run(tx => readMemberships(tx, actor.id));
    if (own.filter(({ role }) => role === 'owner').length >= MAX_OWNED) {
      refuse(`You own ${MAX_OWNED} workspaces. Delete one, or name another owner of one, before you create another.`);
    }
    const workspace = { id: newId(), name: name.trim(), plan, role: 'owner' } as const;
    await this.database.run(async tx => {
      await tx.query('INSERT INTO workspaces (id, name, plan) VALUES ($1, $2, $3)', [
        workspace.id,
        workspace.name,
        plan,
      ]);
      recordActOf(tx, workspace.id, { action: 'workspace.create', objectId: workspace.id, after: { plan }, actor });
      await addMember(tx, workspace.id, actor.id, workspace.role);
    }, workspace.id);
    return workspace;
  }
}

function refuse(detail: string): never {
  throw new HubError('new_workspace_refused', { detail });
}
