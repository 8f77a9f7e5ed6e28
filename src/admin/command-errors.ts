import { CommanderError } from 'commander';
import { findConnectionErrorReason } from '#kernel/db/connection-error-reason.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { usageError } from '../cli/base/errors.js';

/** What went wrong, for programs: the same document that the commands of the client write. */
export function toErrorDocument(error: unknown, exitCode: number): object {
  const isUsage = error instanceof CommanderError;
  const code = isUsage ? 'usage' : error instanceof HubError ? error.code : 'failed';
  return { error: code, detail: isUsage ? usageError(error) : describeError(error), exit_code: exitCode };
}

/** What went wrong, for the person at the terminal: no stack, and nothing of the address but what failed. */
export function describeError(error: unknown): string {
  if (error instanceof HubError)
    return [error.detail ?? error.code, describeCause(error.cause)].filter(Boolean).join(' ');
  if (!(error instanceof Error)) return String(error);
  return describeUnreachable(error) ?? error.message;
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? `(${describeUnreachable(cause) ?? cause.message})` : '';
}

function describeUnreachable(error: Error): string | undefined {
  const why = findConnectionErrorReason(error);
  return why && `The database cannot be reached: ${why}.`;
}
