import { InvalidArgumentError } from 'commander';
import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { pluralize, toPrintable } from '../base/terminal.js';

interface ApiSearchResult {
  readonly documents: readonly {
    readonly entity_id: string;
    readonly type: string;
    readonly title: string | null;
    readonly date: string | null;
    readonly similarity: number;
    readonly snippet: string;
  }[];
  readonly count: number;
}

/** `search` */
export const addSearchCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'search',
    summary: 'search briefs, transcripts and notes by meaning',
    examples: [
      'rapport search "when do they renew?"',
      'rapport search "price objections" --focus ada@acme.com --limit 3',
    ],
  })
    .argument('<question...>', 'question or keywords')
    .option('--focus <who>', 'only notes about this contact: ID, e-mail address, domain or LinkedIn URL')
    .option('--limit <n>', 'maximum number of documents, up to 20', parseSearchLimit, 8)
    .action(
      action(
        terminal,
        holder,
        async (context, words: string[], { focus, limit }: { focus?: string; limit: number }) => {
          const body = { question: words.join(' '), limit, ...(focus !== undefined && { focus }) };
          const hub = await context.client();
          const answer = await hub.call<ApiSearchResult>('POST', '/v2/notes/search', { body, readsOnly: true });
          const { bold, dim } = context.colors;
          const lines = answer.documents.flatMap(({ title, type, date, similarity, snippet, entity_id }) => [
            `${bold(toPrintable(title ?? type))}  ${dim(`${type}, ${date ?? 'undated'}, ${similarity.toFixed(2)}, ${entity_id}`)}`,
            `  ${toPrintable(snippet)}`,
          ]);
          context.print(answer, [...lines, dim(pluralize(answer.count, 'document'))]);
        },
      ),
    );
};

function parseSearchLimit(text: string): number {
  if (/^([1-9]|1\d|20)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 20.');
}
