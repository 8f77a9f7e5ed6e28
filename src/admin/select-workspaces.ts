import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { findWorkspace, listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';
import { CommandError } from './admin-context.js';

/** Returns the IDs of all workspaces, or the given one. @throws CommandError if it does not exist */
export async function selectWorkspaces(work: UnitOfWork, workspaceId: string | undefined): Promise<string[]> {
  if (workspaceId === undefined) return (await listWorkspaces(work)).map(({ id }) => id);
  await requireWorkspace(work, workspaceId);
  return [workspaceId];
}

/** Checks that a workspace exists. @throws CommandError if it does not */
export async function requireWorkspace(work: UnitOfWork, id: string): Promise<void> {
  if (!(await findWorkspace(work, id))) throw new CommandError(`There is no workspace ${id}.`);
}
