import { CommanderError } from 'commander';
import { CliError, EXIT, type ExitCode } from './exit.js';
import { formatFieldLines, toPrintable } from './format.js';
import { createColors } from './colors.js';
import type { Terminal } from './terminal.js';

/** Prints an error on stderr, as text or as one JSON document, and returns the exit code. */
export function reportError(error: unknown, terminal: Terminal, json: boolean): ExitCode {
  // Commander has already printed its message or the requested help.
  if (error instanceof CommanderError && !json) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
  const failure = normalizeError(error, terminal);
  terminal.stderr.write(json ? `${JSON.stringify(toErrorJson(failure))}\n` : formatErrorLines(failure, terminal));
  return failure.exitCode;
}

function normalizeError(error: unknown, { signal }: Terminal): CliError {
  if (error instanceof CliError) return error;
  if (signal.aborted) return CliError.interrupted();
  if (error instanceof CommanderError) return CliError.usage(usageError(error));
  return new CliError(EXIT.failed, 'failed', error instanceof Error ? error.message : String(error));
}

/** Returns the message of a usage error. Without a command, commander prints its help but gives no message. */
export function usageError({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'A command is missing. Run with --help for a list of commands.';
  return message.replace(/^error: /, '');
}

function toErrorJson({ code, message, exitCode, facts }: CliError): object {
  const { hint, status, details, requestId } = facts;
  return { error: code, detail: message, details, hint, status, request_id: requestId, exit_code: exitCode };
}

function formatErrorLines({ message, facts }: CliError, terminal: Terminal): string {
  const paint = createColors(terminal, 'stderr');
  const details = (facts.details ?? []).map(
    ({ field, message: why }) => `  ${[field, why].filter(Boolean).join(': ')}`,
  );
  const about = formatFieldLines({ hint: facts.hint, request: facts.requestId });
  const lines = [paint.red(toPrintable(message)), ...details.map(toPrintable), ...about.map(line => paint.dim(line))];
  return `${lines.join('\n')}\n`;
}
