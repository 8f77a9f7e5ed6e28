import { CommanderError, InvalidArgumentError, type Command } from 'commander';
import { validate } from 'uuid';
import { findConnectionErrorReason } from '#kernel/db/database-server.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { UnsealError } from '#kernel/secrets/secret-box.js';
import { isPlan, type Plan, PLANS } from '#domain/plans/tiers.js';
import { type Scope, API_KEY_SCOPES } from '#kernel/auth/caller.js';
import type { Env } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { findWorkspace, listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';
import { usageError } from '../cli/base/errors.js';

/** Output of a command: results to `out`, progress and errors to `err`. */
export interface AdminOutput {
  out(text: string): void;
  err(text: string): void;
}

/** Prints a result: one JSON document with `--json`, else readable lines. */
export function printResult(
  terminal: AdminOutput,
  json: boolean | undefined,
  data: unknown,
  lines: readonly string[],
): void {
  terminal.out(json ? JSON.stringify(data, null, 2) : lines.join('\n'));
}

/** Returns an error as the JSON document that the client's commands print too. */
export function toErrorDocument(error: unknown, exitCode: number): object {
  const isUsage = error instanceof CommanderError;
  const code = isUsage ? 'usage' : error instanceof HubError ? error.code : 'failed';
  return { error: code, detail: isUsage ? usageError(error) : describeError(error), exit_code: exitCode };
}

/** Describes an error in a sentence for the terminal, without a stack and without the database URL. */
export function describeError(error: unknown): string {
  if (error instanceof UnsealError) return error.message;
  if (error instanceof HubError)
    return [error.detail ?? error.code, describeCause(error.cause)].filter(Boolean).join(' ');
  if (!(error instanceof Error)) return String(error);
  return describeUnreachable(error) ?? error.message;
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? `(${describeUnreachable(cause) ?? cause.message})` : '';
}

function describeUnreachable(error: Error): string | undefined {
  const reason = findConnectionErrorReason(error);
  return reason && `The database cannot be reached: ${reason}.`;
}

const MAX_EXPIRY_DAYS = 3650;
const MAX_NAME_LENGTH = 200;

/** Parses a plan. @throws InvalidArgumentError that lists the plans */
export function parsePlanArgument(text: string): Plan {
  if (!isPlan(text)) throw new InvalidArgumentError(`It must be one of ${PLANS.join(', ')}.`);
  return text;
}

/** Parses a UUID, in any case. @throws InvalidArgumentError */
export function parseUuidArgument(text: string): string {
  if (!validate(text)) throw new InvalidArgumentError('It must be a UUID, as the list commands print it.');
  return text.toLowerCase();
}

/** Parses a name. @throws InvalidArgumentError if it is blank, too long or contains control characters */
export function parseNameArgument(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(trimmed)) {
    throw new InvalidArgumentError(`It must be 1 to ${MAX_NAME_LENGTH} characters, without control characters.`);
  }
  return trimmed;
}

/** Parses comma-separated scopes. @throws InvalidArgumentError that lists the scopes */
export function parseScopesArgument(text: string): Scope[] {
  const words = text.split(',').map(word => word.trim());
  const scopes = API_KEY_SCOPES.filter(scope => words.includes(scope));
  if (!words.every(word => scopes.some(scope => scope === word))) {
    throw new InvalidArgumentError(`It must be a comma-separated list of ${API_KEY_SCOPES.join(', ')}.`);
  }
  return scopes;
}

/** Parses a number of days. @throws InvalidArgumentError */
export function parseDaysArgument(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > MAX_EXPIRY_DAYS) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_EXPIRY_DAYS}.`);
  }
  return number;
}

/** The output and the database of admin commands. */
export interface AdminContext {
  readonly terminal: AdminOutput;
  /**
   * Opens the database while `work` runs, and passes it the settings too.
   * @param overrides settings that differ from those of the environment
   */
  withDatabase<T>(work: (database: Database, env: Env) => Promise<T>, overrides?: Partial<Env>): Promise<T>;
  /** Passes `work` the URL of the database server as it is, whatever schema it has, and the settings. */
  withServer<T>(work: (url: string, env: Env) => Promise<T>): Promise<T>;
}

/** Adds one or more commands below `rapport admin`, or below `rapport` itself. */
export type AddAdminCommands = (parent: Command, context: AdminContext) => void;

/** A command failed; the message says why in a sentence. Exit code 1. */
export class CommandError extends Error {}

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
