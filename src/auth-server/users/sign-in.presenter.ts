import { toIso } from '#domain/time/instant.js';
import type { OpenInvitation } from './invitations.service.js';
import type {
  CurrentUserDto,
  ListedSessionDto,
  OpenInvitationDto,
  SessionDto,
  SignedInDto,
  UserDto,
  UserWorkspaceDto,
} from './sign-in.dto.js';
import type { CurrentSession, CurrentUser, ListedSession, SignedIn, User, UserWorkspace } from './sign-in.service.js';

/** Presents who is signed in. */
export function toSignedInDto({ user, workspaces }: Pick<SignedIn, 'user' | 'workspaces'>): SignedInDto {
  return { user: toUserDto(user), workspaces: workspaces.map(toWorkspaceDto) };
}

/** Presents who is signed in, with the session and by what else they could sign in. */
export function toCurrentUserDto({ session, methods, ...signedIn }: CurrentUser): CurrentUserDto {
  const { hasPassword, singleSignOn } = methods;
  return {
    ...toSignedInDto(signedIn),
    session: toSessionDto(session),
    has_password: hasPassword,
    single_sign_on: singleSignOn
      ? { provider_name: singleSignOn.providerName, connected: singleSignOn.isConnected }
      : null,
  };
}

/** Presents a user. */
export function toUserDto({ id, name, email }: User): UserDto {
  return { id, name, email };
}

/** Presents a workspace as its member sees it. */
export function toWorkspaceDto({ id, name, plan, role }: UserWorkspace): UserWorkspaceDto {
  return { id, name, plan, role };
}

/** Presents the session of a request. */
export function toSessionDto({ id, expiresAt }: Pick<CurrentSession, 'id' | 'expiresAt'>): SessionDto {
  return { id, expires_at: expiresAt.toISOString() };
}

/** Presents a session in a list. @param currentId ID of the session of the request */
export function toListedSessionDto(session: ListedSession, currentId: string): ListedSessionDto {
  const { id, createdAt, lastSeenAt, address, userAgent } = session;
  return {
    ...toSessionDto(session),
    created_at: createdAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
    address,
    client: userAgent,
    current: id === currentId,
  };
}

/** Presents an invitation to the invited person. */
export function toOpenInvitationDto(invitation: OpenInvitation): OpenInvitationDto {
  const { workspaceName, role, email, expiresAt, accountExists } = invitation;
  return {
    workspace_name: workspaceName,
    role,
    email,
    expires_at: toIso(expiresAt),
    account_exists: accountExists,
  };
}
