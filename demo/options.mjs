import { parseArgs } from 'node:util';

export const HELP = `Records 1000 rows of a real, untidy CSV file over the REST API and shows what came of it.

  npm run demo -- [options]

  --limit <n>         read the first n rows only
  --account <focus>   show this account at the end: e-mail address, entity id or name
  --help              this text

Without settings the demo starts a hub of its own in a temporary folder and removes it at the end.
RAPPORT_BASE_URL and RAPPORT_API_KEY (scopes read and write) name a hub to use instead. Running the
demo against one hub twice records nothing the second time.
`;

/** The command line was not understood; the message says why. */
export class BadUsage extends Error {}

/**
 * Reads the command line and the environment.
 * @param {readonly string[]} words what follows the name of the program
 * @param {Readonly<Record<string, string | undefined>>} environment
 */
export function optionsOf(words, environment) {
  const { limit, account, help } = parsed(words);
  const { RAPPORT_BASE_URL: baseUrl, RAPPORT_API_KEY: apiKey } = environment;
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit)) throw new BadUsage('--limit must be a number from 1 on.');
  if (!baseUrl !== !apiKey) throw new BadUsage('Set both RAPPORT_BASE_URL and RAPPORT_API_KEY, or neither.');
  if (baseUrl && !URL.canParse(baseUrl))
    throw new BadUsage('RAPPORT_BASE_URL must be an address such as http://localhost:3000.');
  const access = baseUrl && apiKey ? { baseUrl, apiKey } : undefined;
  return { help: help ?? false, limit: limit === undefined ? Infinity : Number(limit), account, access };
}

function parsed(words) {
  try {
    const options = { limit: { type: 'string' }, account: { type: 'string' }, help: { type: 'boolean', short: 'h' } };
    return parseArgs({ args: [...words], options, allowPositionals: false }).values;
  } catch (error) {
    throw new BadUsage(error.message);
  }
}
