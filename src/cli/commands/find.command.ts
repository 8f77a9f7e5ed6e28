import { InvalidArgumentError } from 'commander';
import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { formatTableLines, pluralize, toPrintable } from '../base/terminal.js';

interface ApiHits {
  readonly hits: readonly {
    readonly entity_id: string;
    readonly type: string;
    readonly name: string;
    readonly detail: string;
    readonly matched_on: string;
  }[];
  readonly count: number;
  readonly has_more: boolean;
}

/** `find` */
export const addFindCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'find',
    summary: 'find people and companies by part of a name, an address or a domain',
    examples: ['rapport find ada lov', 'rapport find "Bob Smith" --type person', 'rapport find acme --limit 3'],
  })
    .argument('<text...>', 'part of a name in any order, e-mail address or domain; typing errors are forgiven')
    .option('--type <type>', 'only people or companies: person or company', parseType)
    .option('--limit <n>', 'maximum number of hits, up to 50', parseFindLimit, 10)
    .action(
      action(terminal, holder, async (context, words: string[], { type, limit }: { type?: string; limit: number }) => {
        const hub = await context.client();
        const query = { q: words.join(' '), limit: String(limit), types: type };
        const found = await hub.call<ApiHits>('GET', '/v2/search', { query });
        const rows = found.hits.map(hit =>
          [hit.entity_id, hit.type, hit.name, hit.detail, hit.matched_on].map(toPrintable),
        );
        const { dim } = context.colors;
        context.print(found, [
          ...formatTableLines(['ID', 'TYPE', 'NAME', 'DETAIL', 'MATCH'], rows, 'Nothing matches.'),
          '',
          dim(`${pluralize(found.count, 'hit')}${found.has_more ? ', and more' : ''}. Next: rapport account <ID>`),
        ]);
      }),
    );
};

function parseType(text: string): string {
  if (text === 'person' || text === 'company') return text;
  throw new InvalidArgumentError('It must be person or company.');
}

function parseFindLimit(text: string): number {
  if (/^([1-9]|[1-4]\d|50)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 50.');
}
