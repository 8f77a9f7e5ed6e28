import { CommanderError } from 'commander';
import { formatFieldLines, toPrintable, createColors, type Terminal } from './terminal.js';

/** Exit codes, as docs/cli.md lists them. */
export const EXIT = {
  /** Success. */
  ok: 0,
  /** A failure without a code of its own. */
  failed: 1,
  /** Invalid or incomplete command line. */
  usage: 2,
  /** There is no key, or the hub rejects it. */
  notSignedIn: 3,
  /** Not found. */
  notFound: 4,
  /** The hub rejected the request: invalid values, a conflict, a missing scope, another plan. */
  refused: 5,
  /** The hub is unreachable, too slow or too busy. */
  unreachable: 6,
  /** Partial success: rows were rejected, or checks failed. */
  partly: 7,
  /** A name matches more than one entity. */
  ambiguous: 8,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Details of an error. */
export interface ErrorDetails {
  /** How to fix the problem, as a sentence or a command. */
  readonly hint?: string;
  /** HTTP status of the hub's response. */
  readonly status?: number;
  /** `details` of the hub's response: the invalid fields. */
  readonly details?: readonly { readonly field?: string; readonly message?: string }[];
  /** Request ID, which the hub's log contains too. */
  readonly requestId?: string;
}

/** An error of a command, with a message for users and a `code` for programs. */
export class CliError extends Error {
  constructor(
    readonly exitCode: ExitCode,
    readonly code: string,
    message: string,
    readonly facts: ErrorDetails = {},
  ) {
    super(message);
  }

  /** Creates an error for an invalid or incomplete command line. */
  static usage(message: string, hint?: string): CliError {
    return new CliError(EXIT.usage, 'usage', message, hint === undefined ? {} : { hint });
  }

  /** Creates an error for Ctrl-C. */
  static interrupted(message = 'Interrupted.', hint?: string): CliError {
    return new CliError(EXIT.interrupted, 'interrupted', message, hint === undefined ? {} : { hint });
  }

  /** Creates an error for a missing key. */
  static notSignedIn(message = 'Nobody is signed in here.', hint = SIGN_IN_HINT): CliError {
    return new CliError(EXIT.notSignedIn, 'not_signed_in', message, { hint });
  }
}

/** Returns whether an error comes from Ctrl-C. */
export function isInterruption(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === EXIT.interrupted;
}

/** Hint if there is no key. */
export const SIGN_IN_HINT = 'Run rapport login, or set RAPPORT_API_KEY.';

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
