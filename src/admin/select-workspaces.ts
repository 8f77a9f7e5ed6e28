import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { findWorkspace, listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';
import { CommandError } from './admin-context.js';

/** Ids of the workspaces that a command is about: all of them, or the one that it names. @throws CommandFailed */
export async function selectWorkspaces(work: UnitOfWork, workspaceId: string | undefined): Promise<string[]> {
  if (workspaceId === undefined) return (await listWorkspaces(work)).map(({ id }) => id);
  await requireWorkspace(work, workspaceId);
  return [workspaceId];
}

/** @throws CommandFailed when there is no such workspace. */
export async function requireWorkspace(work: UnitOfWork, id: string): Promise<void> {
  if (!(await findWorkspace(work, id))) throw new CommandError(`There is no workspace ${id}.`);
}
