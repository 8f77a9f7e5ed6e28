import { parseArgs } from 'node:util';

/** How a run of the benchmark is wanted. */
export interface Options {
  /** Goals to measure, by their number; undefined measures all. */
  readonly only: readonly string[] | undefined;
  /** Length of one round of one side, in seconds. */
  readonly seconds: number;
  /** Rounds of each side. */
  readonly rounds: number;
  /** Print one JSON document instead of tables. */
  readonly json: boolean;
  /**
   * Observations of the large database that goal 1 is measured on as well, rows of goal 9, entities of goal 19, and
   * passages of other workspaces for goal 12; 0 leaves these out and takes 50 000 passages.
   */
  readonly large: number;
  /** Operations whose requests goal loop measures; undefined: all of them. */
  readonly operations: readonly string[] | undefined;
  /** Folder that a CPU profile of the hub is written to. */
  readonly profile: string | undefined;
}

/** The help text. */
export const USAGE = `npm run bench -- [options]

  --only 1,2,8     only these goals; loop: delays of the event loop;
                   neighbours: reads beside strangers and a busy workspace
  --seconds 2      length of a round of one side
  --rounds 3       rounds of each side; sides take turns
  --large 1000000  measure goals 1, 9, 12 and 19 also with so many observations, rows, passages, entities
  --operations a,b measure goal loop with these operations only, such as dedup
  --profile DIR    write a CPU profile of the hub there
  --json           print JSON

With DATABASE_URL set, that server is used (in a database of its own, dropped at the end); else an embedded one.`;

/** Reads the command line. @throws TypeError for what is no option, RangeError for what is no number. */
export function readOptions(words: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: 'string' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '3' },
      large: { type: 'string', default: '0' },
      operations: { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  return {
    only: values.only?.split(',').map(goal => goal.trim()),
    seconds: numberOf(values.seconds, 0.2),
    rounds: Math.round(numberOf(values.rounds, 1)),
    large: Math.round(numberOf(values.large, 0)),
    json: values.json,
    operations: values.operations?.split(',').map(each => each.trim()),
    profile: values.profile,
  };
}

function numberOf(text: string, atLeast: number): number {
  const number = Number(text);
  if (Number.isFinite(number) && number >= atLeast) return number;
  throw new RangeError(`"${text}" is not a number of at least ${atLeast}.`);
}
