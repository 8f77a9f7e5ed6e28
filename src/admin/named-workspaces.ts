import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { findWorkspace, listWorkspaces } from '#kernel/workspaces/workspaces.service.js';
import { CommandFailed } from './admin-command.js';

/** Ids of the workspaces that a command is about: all of them, or the one that it names. @throws CommandFailed */
export async function namedWorkspaces(work: UnitOfWork, named: string | undefined): Promise<string[]> {
  if (named === undefined) return (await listWorkspaces(work)).map(({ id }) => id);
  await requireWorkspace(work, named);
  return [named];
}

/** @throws CommandFailed when there is no such workspace. */
export async function requireWorkspace(work: UnitOfWork, id: string): Promise<void> {
  if (!(await findWorkspace(work, id))) throw new CommandFailed(`There is no workspace ${id}.`);
}
