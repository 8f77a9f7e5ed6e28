/** Exit codes, as docs/cli.md lists them. */
export const EXIT = {
  /** It was done. */
  ok: 0,
  /** It failed for a reason that has no code of its own. */
  failed: 1,
  /** The command line was not understood, or something it needs is missing. */
  usage: 2,
  /** Nobody is signed in, or the hub refuses the key. */
  notSignedIn: 3,
  /** What was asked for is not there. */
  notFound: 4,
  /** The hub understood and refuses: invalid values, a conflict, a missing scope, another plan. */
  refused: 5,
  /** The hub cannot be reached, is too slow or too busy. */
  unreachable: 6,
  /** Done in part: rows were rejected, checks failed. */
  partly: 7,
  /** A name means several. */
  ambiguous: 8,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What else is known of a failure. */
export interface ErrorDetails {
  /** What mends it, as a sentence or a command. */
  readonly hint?: string;
  /** HTTP status of the hub's answer. */
  readonly status?: number;
  /** `details` of the hub's answer: what is wrong with which field. */
  readonly details?: readonly { readonly field?: string; readonly message?: string }[];
  /** By which the hub's log knows the request. */
  readonly requestId?: string;
}

/** A command cannot do what it was asked. The message is a sentence for people, `code` a word for programs. */
export class CliError extends Error {
  constructor(
    readonly exitCode: ExitCode,
    readonly code: string,
    message: string,
    readonly facts: ErrorDetails = {},
  ) {
    super(message);
  }

  /** The command line lacks something. */
  static usage(message: string, hint?: string): CliError {
    return new CliError(EXIT.usage, 'usage', message, hint === undefined ? {} : { hint });
  }

  /** Ctrl-C. */
  static interrupted(): CliError {
    return new CliError(EXIT.interrupted, 'interrupted', 'Interrupted.');
  }

  /** There is no key to work with. */
  static notSignedIn(message = 'Nobody is signed in here.', hint = SIGN_IN_HINT): CliError {
    return new CliError(EXIT.notSignedIn, 'not_signed_in', message, { hint });
  }
}

/** What to do without a key. */
export const SIGN_IN_HINT = 'Run rapport login, or set RAPPORT_API_KEY.';
