import { InvalidArgumentError } from 'commander';
import { type AddCommands, at, declare } from '../base/desk.js';
import { counted, printable } from '../base/lines.js';

interface Found {
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
export const addSearchCommand: AddCommands = (program, terminal, seat) => {
  declare(program, {
    name: 'search',
    summary: 'search briefs, transcripts and notes for what they are about',
    examples: [
      'rapport search "when do they renew?"',
      'rapport search "price objections" --focus ada@acme.com --limit 3',
    ],
  })
    .argument('<question...>', 'what to look for')
    .option('--focus <who>', 'only notes on this contact: id, e-mail address, domain or LinkedIn URL')
    .option('--limit <n>', 'documents at most, up to 20', upToTwenty, 8)
    .action(
      at(terminal, seat, async (desk, words: string[], { focus, limit }: { focus?: string; limit: number }) => {
        const body = { question: words.join(' '), limit, ...(focus !== undefined && { focus }) };
        const hub = await desk.hub();
        const answer = await hub.call<Found>('POST', '/v2/notes/search', { body, readsOnly: true });
        const { bold, dim } = desk.paint;
        const lines = answer.documents.flatMap(({ title, type, date, similarity, snippet, entity_id }) => [
          `${bold(printable(title ?? type))}  ${dim(`${type}, ${date ?? 'undated'}, ${similarity.toFixed(2)}, ${entity_id}`)}`,
          `  ${printable(snippet)}`,
        ]);
        desk.answer(answer, [...lines, dim(counted(answer.count, 'document'))]);
      }),
    );
};

function upToTwenty(text: string): number {
  if (/^([1-9]|1\d|20)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 20.');
}
