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
  static interrupted(): CliError {
    return new CliError(EXIT.interrupted, 'interrupted', 'Interrupted.');
  }

  /** Creates an error for a missing key. */
  static notSignedIn(message = 'Nobody is signed in here.', hint = SIGN_IN_HINT): CliError {
    return new CliError(EXIT.notSignedIn, 'not_signed_in', message, { hint });
  }
}

/** Hint if there is no key. */
export const SIGN_IN_HINT = 'Run rapport login, or set RAPPORT_API_KEY.';
