import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { CliError, EXIT } from '../base/exit.js';
import { type ApiAccount, type ApiAmbiguousName, formatAccount, formatCandidates } from './account.format.js';

interface AccountOptions {
  readonly asOf?: string;
  readonly knownAt?: string;
  readonly company?: string;
}

/** `account` */
export const addAccountCommand: RegisterCommands = (program, terminal, seat) => {
  defineCommand(program, {
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
      action(terminal, seat, async (desk, who: string, { asOf, knownAt, company }: AccountOptions) => {
        const hub = await desk.client();
        const query = { as_of: asOf, known_at: knownAt, company };
        const answer = await hub.call<ApiAccount | ApiAmbiguousName>('GET', `/v2/accounts/${encodeURIComponent(who)}`, {
          query,
        });
        if (isAmbiguous(answer)) {
          if (desk.json) return desk.print(answer, [], EXIT.ambiguous);
          throw new CliError(EXIT.ambiguous, 'ambiguous', `"${who}" means several. Ask again with an id:`, {
            details: formatCandidates(answer).map(message => ({ message })),
          });
        }
        desk.print(answer, formatAccount(answer, desk.colors));
      }),
    );
};

function isAmbiguous(answer: ApiAccount | ApiAmbiguousName): answer is ApiAmbiguousName {
  return 'status' in answer && answer.status === 'ambiguous';
}
