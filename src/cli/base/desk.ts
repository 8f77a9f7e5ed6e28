import type { Command } from 'commander';
import { Hub } from '../hub/hub.js';
import { type Settings, settingsFor } from '../settings/settings.js';
import { CliError, EXIT, type Exit } from './exit.js';
import { type Paint, paintFor } from './paint.js';
import type { Terminal } from './terminal.js';

/** What every command works with. */
export class Desk {
  /** The exit code of a command that did not throw. */
  exit: Exit = EXIT.ok;

  constructor(
    readonly terminal: Terminal,
    readonly json: boolean,
    private readonly baseUrl: string | undefined,
  ) {}

  /** Colours for answers. */
  get paint(): Paint {
    return paintFor(this.terminal);
  }

  /** With which hub, as whom. */
  settings(): Promise<Settings> {
    return settingsFor(this.terminal.env, this.baseUrl);
  }

  /** The hub, for calls that need no key. */
  async stranger(): Promise<Hub> {
    const { baseUrl, baseUrlFrom } = await this.settings();
    return new Hub({ baseUrl, baseUrlFrom }, this.terminal.signal);
  }

  /** The hub, with a key. @throws CliError exit 3 when there is none */
  async hub(): Promise<Hub> {
    const settings = await this.settings();
    if (settings.apiKey !== undefined) return new Hub(settings, this.terminal.signal);
    const { baseUrl, savedFor } = settings;
    if (savedFor === undefined) throw CliError.notSignedIn();
    const sentence = `The saved key belongs to ${savedFor} and is not sent to ${baseUrl}.`;
    throw CliError.notSignedIn(sentence, `Run rapport login --base-url ${baseUrl}, or set RAPPORT_API_KEY.`);
  }

  /** Prints the answer: with --json one JSON document, else the lines that a person reads. */
  answer(data: unknown, lines: readonly string[], exit: Exit = EXIT.ok): void {
    this.terminal.stdout.write(`${this.json ? JSON.stringify(data, null, 2) : lines.join('\n')}\n`);
    this.exit = exit;
  }
}

/** Adds one or more commands below a parent. */
export type AddCommands = (parent: Command, terminal: Terminal, seat: Seat) => void;

/** Where the desk of the command that ran is found afterwards. */
export interface Seat {
  desk?: Desk;
}

/** What `declare` is told of a command. */
export interface Declaration {
  readonly name: string;
  readonly summary: string;
  /** More than the summary says; default: the summary. */
  readonly description?: string;
  readonly examples: readonly string[];
}

/** Declares a command with its examples; options that every command has stand at the program. */
export function declare(parent: Command, { name, summary, description = summary, examples }: Declaration): Command {
  const heading = examples.length === 1 ? 'Example:' : 'Examples:';
  const shown = examples.map(example => `  ${example}`).join('\n');
  return parent.command(name).summary(summary).description(description).addHelpText('after', `\n${heading}\n${shown}`);
}

/** Makes the action of a command: sits down at a desk first. Arguments come as commander gives them. */
export function at<Words extends unknown[]>(
  terminal: Terminal,
  seat: Seat,
  work: (desk: Desk, ...words: Words) => Promise<void>,
): (...words: [...Words, Command]) => Promise<void> {
  return async (...words) => {
    const command = words.at(-1) as Command;
    const { json = false, baseUrl } = command.optsWithGlobals<{ json?: boolean; baseUrl?: string }>();
    const desk = new Desk(terminal, json, baseUrl);
    seat.desk = desk;
    await work(desk, ...(words.slice(0, -1) as Words));
  };
}
