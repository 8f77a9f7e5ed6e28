import type { Command } from 'commander';
import { ApiClient } from '../api/api-client.js';
import { type Settings, loadSettings } from '../settings/settings.js';
import { CliError, EXIT, type ExitCode } from './errors.js';
import { type Colors, createColors, type Terminal } from './terminal.js';

/** Context of a running command: terminal, settings and clients. */
export class CommandContext {
  /** Exit code of a command that does not throw. */
  exitCode: ExitCode = EXIT.ok;

  constructor(
    readonly terminal: Terminal,
    readonly json: boolean,
    private readonly baseUrl: string | undefined,
  ) {}

  /** Colors for stdout. */
  get colors(): Colors {
    return createColors(this.terminal);
  }

  /** Loads the settings. */
  settings(): Promise<Settings> {
    return loadSettings(this.terminal.env, this.baseUrl);
  }

  /** Creates a client for calls that need no key. */
  async anonymousClient(): Promise<ApiClient> {
    const { baseUrl, baseUrlFrom } = await this.settings();
    return new ApiClient({ baseUrl, baseUrlFrom }, this.terminal.signal);
  }

  /** Creates a client with a key. @throws CliError with exit code 3 if there is no key for this hub */
  async client(): Promise<ApiClient> {
    const settings = await this.settings();
    if (settings.apiKey !== undefined) return new ApiClient(settings, this.terminal.signal);
    const { baseUrl, savedFor } = settings;
    if (savedFor === undefined) throw CliError.notSignedIn();
    const message = `The saved key belongs to ${savedFor} and is not sent to ${baseUrl}.`;
    throw CliError.notSignedIn(message, `Run rapport login --base-url ${baseUrl}, or set RAPPORT_API_KEY.`);
  }

  /** Prints the result: one JSON document with --json, otherwise lines of text. */
  print(data: unknown, lines: readonly string[], exit: ExitCode = EXIT.ok): void {
    this.terminal.stdout.write(`${this.json ? JSON.stringify(data, null, 2) : lines.join('\n')}\n`);
    this.exitCode = exit;
  }
}

/** Adds one or more commands below a parent. */
export type RegisterCommands = (parent: Command, terminal: Terminal, holder: ExitHolder) => void;

/** Receives the context of the command that ran, so that the caller can read its exit code. */
export interface ExitHolder {
  context?: CommandContext;
}

/** Parameters of `defineCommand`. */
export interface CommandDefinition {
  readonly name: string;
  readonly summary: string;
  /** Long description. Default: the summary. */
  readonly description?: string;
  readonly examples: readonly string[];
}

/** Adds a command with examples in its help. Global options belong to the program. */
export function defineCommand(
  parent: Command,
  { name, summary, description = summary, examples }: CommandDefinition,
): Command {
  const heading = examples.length === 1 ? 'Example:' : 'Examples:';
  const exampleLines = examples.map(example => `  ${example}`).join('\n');
  return parent
    .command(name)
    .summary(summary)
    .description(description)
    .addHelpText('after', `\n${heading}\n${exampleLines}`);
}

/** Wraps the action of a command: creates its context and passes it before the arguments from commander. */
export function action<Words extends unknown[]>(
  terminal: Terminal,
  holder: ExitHolder,
  work: (context: CommandContext, ...args: Words) => Promise<void>,
): (...args: [...Words, Command]) => Promise<void> {
  return async (...args) => {
    const command = args.at(-1) as Command;
    const { json = false, baseUrl } = command.optsWithGlobals<{ json?: boolean; baseUrl?: string }>();
    const context = new CommandContext(terminal, json, baseUrl);
    holder.context = context;
    await work(context, ...(args.slice(0, -1) as Words));
  };
}
