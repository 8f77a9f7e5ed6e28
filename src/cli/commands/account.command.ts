import { type AddCommands, at, declare } from '../base/desk.js';
import { CliError, EXIT } from '../base/exit.js';
import { type Account, type Ambiguous, linesOfAccount, linesOfCandidates } from './account.lines.js';

interface AccountOptions {
  readonly asOf?: string;
  readonly knownAt?: string;
  readonly company?: string;
}

/** `account` */
export const addAccountCommand: AddCommands = (program, terminal, seat) => {
  declare(program, {
    name: 'account',
    summary: 'everything known of a person or company, and how well',
    examples: [
      'rapport account ada@acme.com',
      'rapport account "Ada Lovelace" --company acme.com',
      'rapport account acme.com --as-of 2026-01-01',
      `rapport account ada@acme.com --json | jq '.claims.title'`,
    ],
  })
    .argument('<who>', 'id, e-mail address, domain, LinkedIn URL or name')
    .option('--company <company>', 'name or domain of the company, where a name means several')
    .option('--as-of <time>', 'what was the case then, ISO 8601')
    .option('--known-at <time>', 'what had been recorded by then, ISO 8601')
    .action(
      at(terminal, seat, async (desk, who: string, { asOf, knownAt, company }: AccountOptions) => {
        const hub = await desk.hub();
        const query = { as_of: asOf, known_at: knownAt, company };
        const answer = await hub.call<Account | Ambiguous>('GET', `/v2/accounts/${encodeURIComponent(who)}`, { query });
        if (isAmbiguous(answer)) {
          if (desk.json) return desk.answer(answer, [], EXIT.ambiguous);
          throw new CliError(EXIT.ambiguous, 'ambiguous', `"${who}" means several. Ask again with an id:`, {
            details: linesOfCandidates(answer).map(message => ({ message })),
          });
        }
        desk.answer(answer, linesOfAccount(answer, desk.paint));
      }),
    );
};

function isAmbiguous(answer: Account | Ambiguous): answer is Ambiguous {
  return 'status' in answer && answer.status === 'ambiguous';
}
