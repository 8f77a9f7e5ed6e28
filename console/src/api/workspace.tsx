import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { createHub, type Hub } from './client.ts';
import type { Schemas } from './schemas.ts';

/** The workspace that the address names, as the person who is signed in sees it. */
export interface OpenWorkspace {
  readonly hub: Hub;
  readonly user: Schemas['User'];
  readonly workspace: Schemas['UserWorkspace'];
  readonly workspaces: readonly Schemas['UserWorkspace'][];
}

const Context = createContext<OpenWorkspace | undefined>(undefined);

/** Opens a workspace for the pages within. */
export function WorkspaceProvider({
  current,
  workspace,
  children,
}: {
  current: Schemas['SignedIn'];
  workspace: Schemas['UserWorkspace'];
  children: ReactNode;
}) {
  const hub = useMemo(() => createHub(workspace.id), [workspace.id]);
  const open = useMemo(
    () => ({ hub, user: current.user, workspace, workspaces: current.workspaces }),
    [hub, current, workspace],
  );
  return <Context value={open}>{children}</Context>;
}

/** Returns the open workspace. */
export function useWorkspace(): OpenWorkspace {
  const open = useContext(Context);
  if (!open) throw new Error('This page needs an open workspace.');
  return open;
}

const SCOPES = {
  owner: ['read', 'write', 'settings', 'admin'],
  admin: ['read', 'write', 'settings', 'admin'],
  member: ['read', 'write'],
  viewer: ['read'],
} as const;

/** A permission that roles give. */
export type Permission = (typeof SCOPES)['owner'][number];

/** Returns whether the person has a permission in the open workspace. The hub decides; pages only explain. */
export function useMay(permission: Permission): boolean {
  const { role } = useWorkspace().workspace;
  return (SCOPES[role] as readonly Permission[]).includes(permission);
}
