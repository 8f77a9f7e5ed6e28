import { CommanderError } from 'commander';
import { findConnectionErrorReason } from '#kernel/db/database-server.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { UnsealError } from '#kernel/secrets/sealed-text.js';
import { usageError } from '../cli/base/errors.js';

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
