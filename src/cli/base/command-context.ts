import type { Command } from 'commander';
import { ApiClient } from '../api/api-client.js';
import { type Settings, loadSettings } from '../settings/settings.js';
import { CliError, EXIT, type ExitCode } from './exit.js';
import { type Colors, createColors } from './colors.js';
import type { Terminal } from './terminal.js';

/** What every command works with. */
export class CommandContext {
  /** The exit code of a command that did not throw. */
  exitCode: ExitCode = EXIT.ok;

  constructor(
    readonly terminal: Terminal,
    readonly json: boolean,
    private readonly baseUrl: string | undefined,
  ) {}

  /** Colours for answers. */
  get colors(): Colors {
    return createColors(this.terminal);
  }

  /** With which hub, as whom. */
  settings(): Promise<Settings> {
    return loadSettings(this.terminal.env, this.baseUrl);
  }

  /** The hub, for calls that need no key. */
  async anonymousClient(): Promise<ApiClient> {
    const { baseUrl, baseUrlFrom } = await this.settings();
    return new ApiClient({ baseUrl, baseUrlFrom }, this.terminal.signal);
  }

  /** The hub, with a key. @throws CliError exit 3 when there is none */
  async client(): Promise<ApiClient> {
    const settings = await this.settings();
    if (settings.apiKey !== undefined) return new ApiClient(settings, this.terminal.signal);
    const { baseUrl, savedFor } = settings;
    if (savedFor === undefined) throw CliError.notSignedIn();
    const sentence = `The saved key belongs to ${savedFor} and is not sent to ${baseUrl}.`;
    throw CliError.notSignedIn(sentence, `Run rapport login --base-url ${baseUrl}, or set RAPPORT_API_KEY.`);
  }

  /** Prints the answer: with --json one JSON document, else the lines that a person reads. */
  print(data: unknown, lines: readonly string[], exit: ExitCode = EXIT.ok): void {
    this.terminal.stdout.write(`${this.json ? JSON.stringify(data, null, 2) : lines.join('\n')}\n`);
    this.exitCode = exit;
  }
}

/** Adds one or more commands below a parent. */
export type RegisterCommands = (parent: Command, terminal: Terminal, seat: ExitHolder) => void;

/** Where the desk of the command that ran is found afterwards. */
export interface ExitHolder {
  context?: CommandContext;
}

/** What `declare` is told of a command. */
export interface CommandDefinition {
  readonly name: string;
  readonly summary: string;
  /** More than the summary says; default: the summary. */
  readonly description?: string;
  readonly examples: readonly string[];
}

/** Declares a command with its examples; options that every command has stand at the program. */
export function defineCommand(
  parent: Command,
  { name, summary, description = summary, examples }: CommandDefinition,
): Command {
  const heading = examples.length === 1 ? 'Example:' : 'Examples:';
  const shown = examples.map(example => `  ${example}`).join('\n');
  return parent.command(name).summary(summary).description(description).addHelpText('after', `\n${heading}\n${shown}`);
}

/** Makes the action of a command: sits down at a desk first. Arguments come as commander gives them. */
export function action<Words extends unknown[]>(
  terminal: Terminal,
  seat: ExitHolder,
  work: (desk: CommandContext, ...words: Words) => Promise<void>,
): (...words: [...Words, Command]) => Promise<void> {
  return async (...words) => {
    const command = words.at(-1) as Command;
    const { json = false, baseUrl } = command.optsWithGlobals<{ json?: boolean; baseUrl?: string }>();
    const desk = new CommandContext(terminal, json, baseUrl);
    seat.context = desk;
    await work(desk, ...(words.slice(0, -1) as Words));
  };
}
