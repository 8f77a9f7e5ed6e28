import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Caller, listRoleScopes } from '#kernel/auth/caller.js';
import { SessionAuthenticator, type SessionRequest } from '#kernel/auth/session-authenticator.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { AuthDatabase } from './auth-database.js';
import { type BetterAuth, BETTER_AUTH, findSessionByCookie } from './better-auth.js';
import { readMemberships } from './members.queries.js';

/** How long a looked-up session is used, in milliseconds, as long as a looked-up API key. */
const TTL_MS = 4_000;
const MAX_ENTRIES = 10_000;

/**
 * Resolves sessions to callers without a query for each request. What this process changes of sessions and memberships
 * takes effect at once, what others change within 5 s.
 */
@Injectable()
export class SessionCallerCache extends SessionAuthenticator {
  private readonly callers = new LRUCache<string, Caller>({ max: MAX_ENTRIES, ttl: TTL_MS });

  constructor(
    @Inject(BETTER_AUTH) private readonly auth: BetterAuth,
    private readonly database: AuthDatabase,
  ) {
    super();
  }

  getCached(request: SessionRequest): Caller | undefined {
    return this.callers.get(toCacheKey(request));
  }

  async resolve(request: SessionRequest): Promise<Caller | undefined> {
    const cached = this.getCached(request);
    if (cached) return cached;
    const found = await findSessionByCookie(this.auth, request.cookie);
    if (!found) return undefined;
    const workspaces = await this.database.run(tx => readMemberships(tx, found.user.id));
    const workspace =
      request.workspace === undefined && workspaces.length === 1
        ? workspaces[0]
        : workspaces.find(({ id }) => id === request.workspace);
    if (!workspace) throw new HubError('workspace_required');
    const caller: Caller = Object.freeze({
      workspaceId: workspace.id,
      actor: Object.freeze({ kind: 'person', id: found.user.id }),
      plan: workspace.plan,
      scopes: listRoleScopes(workspace.role),
    });
    this.callers.set(toCacheKey(request), caller);
    return caller;
  }

  /** Forgets all sessions, after one of them or a membership has changed. */
  clear(): void {
    this.callers.clear();
  }
}

function toCacheKey({ cookie, workspace = '' }: SessionRequest): string {
  return `${workspace} ${cookie}`;
}
