import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { CliError, EXIT } from '../base/exit.js';
import {
  type ApiAccount,
  type ApiAmbiguousName,
  explainAmbiguity,
  formatAccount,
  formatCandidates,
} from './account.format.js';

interface AccountOptions {
  readonly asOf?: string;
  readonly knownAt?: string;
  readonly company?: string;
}

/** `account` */
export const addAccountCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'account',
    summary: 'show what is known about a person or company, with confidence',
    examples: [
      'rapport account ada@acme.com',
      'rapport account "Ada Lovelace" --company acme.com',
      'rapport account acme.com --as-of 2026-01-01',
      `rapport account ada@acme.com --json | jq '.claims.title'`,
    ],
  })
    .argument('<entity>', 'ID, e-mail address, domain, LinkedIn URL or name')
    .option('--company <company>', 'name or domain of the company, to resolve an ambiguous name')
    .option('--as-of <time>', 'show the state at this time, ISO 8601')
    .option('--known-at <time>', 'use only observations recorded by this time, ISO 8601')
    .action(
      action(terminal, holder, async (context, name: string, { asOf, knownAt, company }: AccountOptions) => {
        const hub = await context.client();
        const query = { as_of: asOf, known_at: knownAt, company };
        const response = await hub.call<ApiAccount | ApiAmbiguousName>(
          'GET',
          `/v2/accounts/${encodeURIComponent(name)}`,
          {
            query,
          },
        );
        if (isAmbiguous(response)) {
          if (context.json) return context.print(response, [], EXIT.ambiguous);
          throw new CliError(EXIT.ambiguous, 'ambiguous', explainAmbiguity(name, response), {
            details: formatCandidates(response).map(message => ({ message })),
          });
        }
        context.print(response, formatAccount(response, context.colors));
      }),
    );
};

function isAmbiguous(response: ApiAccount | ApiAmbiguousName): response is ApiAmbiguousName {
  return 'status' in response && response.status === 'ambiguous';
}
