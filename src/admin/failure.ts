import { CommanderError } from 'commander';
import { whyUnreachable } from '#kernel/db/unreachable.js';
import { HubError } from '#kernel/errors/errors.js';
import { usageOf } from '../cli/base/errors.js';

/** What went wrong, for programs: the same document that the commands of the client write. */
export function failureOf(error: unknown, exitCode: number): object {
  const isUsage = error instanceof CommanderError;
  const code = isUsage ? 'usage' : error instanceof HubError ? error.code : 'failed';
  return { error: code, detail: isUsage ? usageOf(error) : sentenceOf(error), exit_code: exitCode };
}

/** What went wrong, for the person at the terminal: no stack, and nothing of the address but what failed. */
export function sentenceOf(error: unknown): string {
  if (error instanceof HubError) return [error.detail ?? error.code, reasonOf(error.cause)].filter(Boolean).join(' ');
  if (!(error instanceof Error)) return String(error);
  return unreachable(error) ?? error.message;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? `(${unreachable(cause) ?? cause.message})` : '';
}

function unreachable(error: Error): string | undefined {
  const why = whyUnreachable(error);
  return why && `The database cannot be reached: ${why}.`;
}
